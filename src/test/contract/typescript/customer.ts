import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import {
  Configuration, ErrorCode, KeyApi, ModelErrorFromJSON, OrderStatus, OrdersApi, type Pet, PetsApi, PetStatus, ResponseError
} from '../../../../target/contract/typescript-client';

// Uses the TypeScript client that is generated from the document as a customer does. Throws an exception if a response is unexpected.

const page = 2;
const nextCursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/;

function as(accessToken: string | undefined): Configuration {
  return new Configuration({ basePath: env.SERVICE, accessToken });
}

async function addsAndListsToTheEnd(pets: PetsApi) {
  const added: Pet[] = [];
  for (let category = 1; category <= 2 * page + 1; category++) {
    added.push(await pets.createPet({ newPet: { name: 'Søren', categoryId: category, status: PetStatus.Sold } }));
  }
  const listed: Pet[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const response = await pets.listPetsRaw({ limit: page, cursor, status: PetStatus.Sold });
    listed.push(...await response.value());
    cursor = nextCursor.exec(response.raw.headers.get('Link') ?? '')?.[1];
    pages++;
  } while (cursor !== undefined);
  assert.equal(pages, Math.ceil(listed.length / page));
  assert.deepEqual(listed.slice(-added.length), added);
}

async function repeatsALostRequest(pets: PetsApi) {
  const request = { newPet: { name: 'Rex', categoryId: 7 }, idempotencyKey: randomUUID() };
  const first = await pets.createPetRaw(request);
  const second = await pets.createPetRaw(request);
  const pet = await first.value();
  assert.equal(pet.status, PetStatus.Available);
  assert.deepEqual(await second.value(), pet);
  assert.equal(second.raw.headers.get('Idempotency-Replayed'), 'true');
}

async function listsOrders(orders: OrdersApi) {
  const placed = await orders.listOrders({ limit: page, status: OrderStatus.Placed });
  assert.equal(placed.length, page);
}

async function showsItsKey(key: KeyApi) {
  const own = await key.getKey();
  assert.equal(own.plan, 'enterprise');
  assert.equal(own.expiresAt, undefined);
  assert.ok(own.usage.minute.remaining < own.limits.perMinute);
  assert.ok(own.usage.day.resetsAt.getTime() > Date.now());
  assert.deepEqual(await key.getKeyUsage({ month: '2999-01' }), []);
}

async function requestsAnUnknownPet(pets: PetsApi) {
  await refused(404, ErrorCode.PetNotFound, pets.getPet({ petId: Number.MAX_SAFE_INTEGER }));
}

async function isRefusedWithAnUnknownKey(pets: PetsApi) {
  const headers = await refused(401, ErrorCode.InvalidApiKey, pets.listPets());
  assert.equal(headers.get('WWW-Authenticate'), 'Bearer realm="animal-store", error="invalid_token"');
}

async function waits(pets: PetsApi) {
  await pets.listPets();
  const headers = await refused(429, ErrorCode.RateLimitExceeded, pets.listPets());
  const seconds = Number(headers.get('Retry-After'));
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
}

async function refused(status: number, code: ErrorCode, request: Promise<unknown>): Promise<Headers> {
  const refusal = await request.then(() => assert.fail('not refused'), (reason: unknown) => reason);
  assert.ok(refusal instanceof ResponseError, String(refusal));
  assert.equal(refusal.response.status, status);
  const error = ModelErrorFromJSON(await refusal.response.json());
  assert.equal(error.code, code);
  assert.equal(error.status, status);
  return refusal.response.headers;
}

async function main() {
  const customer = as(env.API_KEY);
  const pets = new PetsApi(customer);
  await addsAndListsToTheEnd(pets);
  await repeatsALostRequest(pets);
  await listsOrders(new OrdersApi(customer));
  await showsItsKey(new KeyApi(customer));
  await requestsAnUnknownPet(pets);
  await isRefusedWithAnUnknownKey(new PetsApi(as(env.UNKNOWN_API_KEY)));
  await waits(new PetsApi(as(env.API_KEY_FOR_ONE_REQUEST)));
  console.log('The TypeScript client works.');
}

void main();
