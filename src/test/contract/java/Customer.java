import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.client.ApiClient;
import dev.animalstore.client.ApiException;
import dev.animalstore.client.ApiResponse;
import dev.animalstore.client.api.KeyApi;
import dev.animalstore.client.api.OrdersApi;
import dev.animalstore.client.api.PetsApi;
import dev.animalstore.client.model.Error;
import dev.animalstore.client.model.ErrorCode;
import dev.animalstore.client.model.NewPet;
import dev.animalstore.client.model.Order;
import dev.animalstore.client.model.OrderStatus;
import dev.animalstore.client.model.OwnKey;
import dev.animalstore.client.model.Pet;
import dev.animalstore.client.model.PetStatus;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.function.Executable;

/** Uses the Java client that is generated from the document as a customer does. Throws an exception if a response is unexpected. */
final class Customer {
    private static final Pattern NEXT_CURSOR = Pattern.compile("[?&]cursor=([^&>]+)[^>]*>; rel=\"next\"");
    private static final int PAGE = 2;

    /** The identifier of no pet, and the greatest integer that is exact in the proxy, which is written in JavaScript. */
    private static final long UNKNOWN_PET = (1L << 53) - 1;

    private final ApiClient client = new ApiClient();
    private final PetsApi pets;
    private final KeyApi keys;
    private final OrdersApi orders;

    private Customer(String key) {
        // The proxy forwards an offer of HTTP/2 to the service, and does not understand the response.
        client.setHttpClientBuilder(ApiClient.createDefaultHttpClientBuilder().version(HttpClient.Version.HTTP_1_1));
        client.updateBaseUri(System.getenv("SERVICE"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        pets = new PetsApi(client);
        keys = new KeyApi(client);
        orders = new OrdersApi(client);
    }

    public static void main(String[] arguments) throws ApiException, IOException {
        Customer customer = new Customer(System.getenv("API_KEY"));
        customer.addsAndListsToTheEnd();
        customer.repeatsALostRequest();
        customer.listsOrders();
        customer.showsItsKey();
        customer.requestsAnUnknownPet();
        new Customer(System.getenv("UNKNOWN_API_KEY")).isRefusedWithAnUnknownKey();
        new Customer(System.getenv("API_KEY_FOR_ONE_REQUEST")).waits();
        System.out.println("The Java client works.");
    }

    private void showsItsKey() throws ApiException {
        OwnKey own = keys.getKey();
        assertEquals("enterprise", own.getPlan());
        assertTrue(own.getUsage().getMinute().getRemaining() < own.getLimits().getPerMinute());
        assertEquals(List.of(), keys.getKeyUsage(null, null, "2999-01"));
    }

    private void addsAndListsToTheEnd() throws ApiException {
        List<Pet> added = new ArrayList<>();
        for (long category = 1; category <= 2 * PAGE + 1; category++) {
            NewPet pet = new NewPet().name("Søren").categoryId(category).status(PetStatus.SOLD);
            added.add(pets.createPet(pet, null));
        }
        List<Pet> listed = new ArrayList<>();
        int pages = 0;
        Optional<String> cursor = Optional.empty();
        do {
            ApiResponse<List<Pet>> page = pets.listPetsWithHttpInfo(PAGE, cursor.orElse(null), PetStatus.SOLD, null, null);
            listed.addAll(page.getData());
            cursor = page.getHeaders().getOrDefault("Link", List.of()).stream()
                    .map(NEXT_CURSOR::matcher)
                    .filter(Matcher::find)
                    .map(link -> link.group(1))
                    .findFirst();
            pages++;
        } while (cursor.isPresent());
        assertEquals((listed.size() + PAGE - 1) / PAGE, pages);
        assertEquals(added, listed.subList(listed.size() - added.size(), listed.size()));
    }

    private void repeatsALostRequest() throws ApiException {
        NewPet pet = new NewPet().name("Rex").categoryId(7L);
        String idempotencyKey = UUID.randomUUID().toString();
        ApiResponse<Pet> first = pets.createPetWithHttpInfo(pet, idempotencyKey);
        ApiResponse<Pet> second = pets.createPetWithHttpInfo(pet, idempotencyKey);
        assertEquals(PetStatus.AVAILABLE, first.getData().getStatus());
        assertEquals(first.getData(), second.getData());
        assertEquals(List.of("true"), second.getHeaders().get("Idempotency-Replayed"));
    }

    private void listsOrders() throws ApiException {
        List<Order> placed = orders.listOrders(PAGE, null, OrderStatus.PLACED);
        assertEquals(PAGE, placed.size());
    }

    private void requestsAnUnknownPet() throws IOException {
        refused(404, ErrorCode.PET_NOT_FOUND, () -> pets.getPet(UNKNOWN_PET));
    }

    private void isRefusedWithAnUnknownKey() throws IOException {
        ApiException refusal = refused(401, ErrorCode.INVALID_API_KEY, () -> pets.listPets(null, null, null, null, null));
        assertEquals(
                "Bearer realm=\"animal-store\", error=\"invalid_token\"",
                refusal.getResponseHeaders().firstValue("WWW-Authenticate").orElseThrow());
    }

    private void waits() throws ApiException, IOException {
        pets.listPets(null, null, null, null, null);
        ApiException refusal = refused(429, ErrorCode.RATE_LIMIT_EXCEEDED, () -> pets.listPets(null, null, null, null, null));
        long seconds = refusal.getResponseHeaders().firstValueAsLong("Retry-After").orElseThrow();
        assertTrue(seconds >= 1 && seconds <= 60, () -> "Retry-After: " + seconds);
    }

    private ApiException refused(int status, ErrorCode code, Executable request) throws IOException {
        ApiException refusal = assertThrows(ApiException.class, request);
        assertEquals(status, refusal.getCode());
        Error error = client.getObjectMapper().readValue(refusal.getResponseBody(), Error.class);
        assertEquals(code, error.getCode());
        assertEquals(status, error.getStatus());
        return refusal;
    }
}
