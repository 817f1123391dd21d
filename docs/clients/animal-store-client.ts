export interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status: 'available' | 'pending' | 'sold';
}

export interface OwnKey {
  id: number;
  plan: string;
  limits: { perMinute: number; perDay: number };
  expiresAt?: string;
  secret: { hint: string; expiresAt?: string };
  usage: Record<'minute' | 'day', { limit: number; remaining: number; resetsAt: string }>;
  ban?: { until: string; level: number; reason: string };
}

const temporary = new Set([408, 409, 429, 503]);
const attempts = 5;
const longestWait = 120_000;
const next = /<([^>]+)>; *rel="next"/;

export class AnimalStoreClient {
  /** @param api the address of the API with a slash at its end, such as https://api.animalstore.example/v1/ */
  constructor(private readonly api: string, private readonly key: string) {}

  /** Every pet of a list, page by page. */
  async *pets(status?: Pet['status']): AsyncGenerator<Pet> {
    let url: string | undefined = `${this.api}pets?limit=100${status ? `&status=${status}` : ''}`;
    while (url) {
      const response: Response = await this.send(url, {});
      yield* (await response.json()) as Pet[];
      url = next.exec(response.headers.get('Link') ?? '')?.[1];
    }
  }

  /** Adds a pet, once, however often the request has to be sent. */
  async add(pet: Omit<Pet, 'id'>): Promise<Pet> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() };
    const response = await this.send(`${this.api}pets`, { method: 'POST', headers, body: JSON.stringify(pet) });
    return (await response.json()) as Pet;
  }

  /** The key with its quota and its ban. It costs no request of the quota. */
  async ownKey(): Promise<OwnKey> {
    return (await (await this.send(`${this.api}key`, {})).json()) as OwnKey;
  }

  private async send(url: string, request: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      let wait = 500 * 2 ** attempt * (0.5 + Math.random() / 2);
      const headers = { ...request.headers, Authorization: `Bearer ${this.key}` };
      const response = await fetch(url, { ...request, headers, signal: AbortSignal.timeout(10_000) }).catch((lost: unknown) => {
        if (attempt === attempts) throw lost;
      });
      if (response?.ok) return response;
      if (response) {
        wait = Math.max(wait, 1000 * Number(response.headers.get('Retry-After') ?? 0));
        if (!temporary.has(response.status) || attempt === attempts || wait > longestWait) {
          throw new Error(`${response.status} ${await response.text()}`);
        }
      }
      await new Promise(resolve => setTimeout(resolve, wait));
    }
  }
}
