package dev.animalstore.pet;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.page.PageRequest;
import dev.animalstore.page.Pages;
import dev.animalstore.request.QueryParameters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jboss.resteasy.reactive.RestResponse;

/** The three operations on pets: {@code listPets}, {@code createPet} and {@code getPet} of the interface specification. */
@ApplicationScoped
@Path("/v1/pets")
@Produces(MediaType.APPLICATION_JSON)
public class PetResource {
    private static final String REPLAYED = "Idempotency-Replayed";

    private final RetirementConfig retirement;
    private final SafeRetries retries;
    private final Pages pages;

    PetResource(RetirementConfig retirement, SafeRetries retries, Pages pages) {
        this.retirement = retirement;
        this.retries = retries;
        this.pages = pages;
    }

    /** Lists pets in ascending order of their identifiers, a page at a time. */
    @GET
    public RestResponse<List<Pet>> listPets(UriInfo uri) {
        Optional<PetStatus> status = new QueryParameters(uri).find("status", PetStatus.class);
        PageRequest page = pages.read(uri, "status", status.map(PetStatus::value));
        return page.answer(Pet.page(status, page.after(), page.fetchSize()), pet -> pet.id);
    }

    /** Adds a pet, once for each {@code Idempotency-Key}. It is committed before the answer is sent. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public RestResponse<Pet> createPet(NewPet pet, UriInfo uri, RoutingContext exchange) {
        Optional<IdempotencyKey> key = IdempotencyKey.from(exchange);
        if (key.isEmpty()) {
            return created(Pet.add(pet), uri).build();
        }
        SafeRetries.Outcome outcome = retries.add(pet, key.get());
        RestResponse.ResponseBuilder<Pet> answer = created(outcome.pet(), uri);
        return (outcome.replayed() ? answer.header(REPLAYED, true) : answer).build();
    }

    /** Fetches one pet. Deprecated: clients list pets instead. */
    @GET
    @Path("{petId}")
    @Retiring
    public Pet getPet(String petId) {
        if (retirement.removed()) {
            throw new ApiException(ErrorCode.GONE, "This operation has been removed; list pets instead.");
        }
        OptionalLong id = parseId(petId);
        Optional<Pet> pet = id.isPresent() ? Pet.find(id.getAsLong()) : Optional.empty();
        return pet.orElseThrow(() -> new ApiException(ErrorCode.PET_NOT_FOUND, "There is no such pet."));
    }

    private static RestResponse.ResponseBuilder<Pet> created(Pet pet, UriInfo uri) {
        URI address = uri.getAbsolutePathBuilder().path(Long.toString(pet.id)).build();
        return RestResponse.ResponseBuilder.<Pet>created(address).entity(pet);
    }

    /** Identifiers as this service writes them: decimal digits of an int64. Anything else names no pet. */
    private static OptionalLong parseId(String petId) {
        if (!petId.matches("[0-9]{1,19}")) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(petId));
        } catch (NumberFormatException beyondInt64) {
            return OptionalLong.empty();
        }
    }
}
