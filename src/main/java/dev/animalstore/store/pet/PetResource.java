package dev.animalstore.store.pet;

import dev.animalstore.store.pet.IdempotencyStore.Addition;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.http.Caller;
import dev.animalstore.web.list.ExactList;
import dev.animalstore.web.list.ExactLists;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.quarkus.runtime.Startup;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * The operations on pets: {@code listPets}, {@code createPet} and {@code getPet} of the interface specification. Created at the start, which verifies
 * the list.
 */
@Startup
@ApplicationScoped
@Path(PetResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public class PetResource {
    static final String PATH = "/v1/pets";

    /** Decimal digits only: Java alone would also accept a sign, and digits of other scripts. */
    private static final Pattern IDENTIFIER = Pattern.compile("[0-9]{1,19}");

    private final Deprecation deprecation;
    private final IdempotencyStore idempotency;
    private final ExactList<PetStatus> pets;

    PetResource(Deprecation deprecation, IdempotencyStore idempotency, ExactLists lists) {
        this.deprecation = deprecation;
        this.idempotency = idempotency;
        pets = lists.at(PATH, Pet::page, pet -> pet.id);
    }

    /** Lists pets in ascending order of their identifiers, a page at a time, of one status or of any. */
    @GET
    public CompletionStage<RestResponse<byte[]>> listPets(
            @RestQuery PetStatus status,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor) {
        Map<String, String> filters = status == null ? Map.of() : Map.of("status", status.value);
        return pets.find(status, PageRequest.of(PATH, limit, cursor, filters));
    }

    /**
     * Adds a pet, once per {@code Idempotency-Key}. Before the response is sent it is committed, and every list shows it: a retry also
     * announces it, because the replica that created it may have ended before it could.
     */
    @POST
    public RestResponse<Pet> createPet(NewPet wanted, Caller caller, HttpHeaders headers) {
        // RestHeader would drop an empty one.
        List<String> keys = headers.getRequestHeader(IdempotencyStore.HEADER);
        Addition outcome =
                keys.isEmpty() ? new Addition(Pet.add(wanted), false) : idempotency.add(wanted, caller.key(), keys);
        pets.changed();
        return created(outcome);
    }

    /** The address is that of a deprecated operation, and leads nowhere once that is removed. */
    private RestResponse<Pet> created(Addition outcome) {
        Pet pet = outcome.pet();
        RestResponse.ResponseBuilder<Pet> response =
                RestResponse.ResponseBuilder.create(RestResponse.Status.CREATED, pet);
        if (!deprecation.isRemoved()) {
            response.location(URI.create(PATH + "/" + pet.id));
        }
        if (outcome.replayed()) {
            response.header("Idempotency-Replayed", true);
        }
        return response.build();
    }

    /** Returns one pet. Deprecated: clients list pets instead. */
    @GET
    @Path("{petId}")
    public Pet getPet(String petId, UriInfo uri, RoutingContext exchange) {
        deprecation.announce(uri, exchange);
        return find(petId).orElseThrow(() -> new ApiException(PetError.PET_NOT_FOUND, "There is no such pet."));
    }

    private static Optional<Pet> find(String petId) {
        try {
            return IDENTIFIER.matcher(petId).matches() ? Pet.findByIdOptional(Long.parseLong(petId)) : Optional.empty();
        } catch (NumberFormatException beyondInt64) {
            return Optional.empty();
        }
    }
}
