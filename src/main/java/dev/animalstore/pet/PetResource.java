package dev.animalstore.pet;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.page.PageRequest;
import dev.animalstore.page.Pages;
import dev.animalstore.request.QueryParameters;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on pets: {@code listPets}, {@code createPet} and {@code getPet} of the interface specification. */
@ApplicationScoped
@Path(PetResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public class PetResource {
    static final String PATH = "/v1/pets";

    private static final String REPLAYED = "Idempotency-Replayed";

    /** Room for about 170 entity tags of this service. */
    private static final int MAXIMUM_TAGS = 4096;

    private final DeprecationConfig deprecation;
    private final IdempotencyStore idempotency;
    private final Pages pages;
    private final Catalogue catalogue;
    private final CatalogueVersion version;

    PetResource(
            DeprecationConfig deprecation,
            IdempotencyStore idempotency,
            Pages pages,
            Catalogue catalogue,
            CatalogueVersion version) {
        this.deprecation = deprecation;
        this.idempotency = idempotency;
        this.pages = pages;
        this.catalogue = catalogue;
        this.version = version;
    }

    /** Lists pets in ascending order of their identifiers, a page at a time. */
    @GET
    @NonBlocking
    public Uni<RestResponse<byte[]>> listPets(UriInfo uri, RoutingContext exchange) {
        Optional<PetStatus> status = new QueryParameters(uri).find("status", PetStatus.class);
        PageRequest page = pages.read(uri, "status", status.map(PetStatus::value));
        Place place = new Place(status, page.after(), page.limit());
        List<String> known = knownTags(exchange);
        return Uni.createFrom()
                .completionStage(CatalogueVersion.of(exchange)
                        .toCompletionStage()
                        .thenCompose(current -> catalogue.find(place, current)))
                .map(found -> listed(found, page, known));
    }

    /** Adds a pet, once per {@code Idempotency-Key}. Before the response is sent it is committed, and every list shows it. */
    @POST
    @Blocking
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<RestResponse<Pet>> createPet(NewPet pet, UriInfo uri, RoutingContext exchange) {
        RestResponse<Pet> response = IdempotencyKey.from(exchange)
                .map(key -> addOnce(pet, key, uri))
                .orElseGet(() -> created(Pet.add(pet), uri))
                .build();
        return Uni.createFrom()
                .completionStage(version.raise(response.getEntity().id).toCompletionStage())
                .replaceWith(response);
    }

    /** Returns one pet. Deprecated: clients list pets instead. */
    @GET
    @Path("{petId}")
    @DeprecatedOperation
    public Pet getPet(String petId) {
        if (deprecation.removed()) {
            throw new ApiException(ErrorCode.GONE, "This operation has been removed; list pets instead.");
        }
        OptionalLong id = parseId(petId);
        Optional<Pet> pet = id.isPresent() ? Pet.find(id.getAsLong()) : Optional.empty();
        return pet.orElseThrow(() -> new ApiException(ErrorCode.PET_NOT_FOUND, "There is no such pet."));
    }

    private static List<String> knownTags(RoutingContext exchange) {
        List<String> tags = exchange.request().headers().getAll(HttpHeaders.IF_NONE_MATCH);
        if (tags.stream().anyMatch(list -> list.length() > MAXIMUM_TAGS)) {
            throw QueryParameters.invalid("If-None-Match must not exceed " + MAXIMUM_TAGS + " characters.");
        }
        return tags;
    }

    private static RestResponse<byte[]> listed(CataloguePage found, PageRequest page, List<String> known) {
        RestResponse.ResponseBuilder<byte[]> response = found.isAmong(known)
                ? RestResponse.ResponseBuilder.notModified()
                : RestResponse.ResponseBuilder.ok(found.body());
        found.last().ifPresent(last -> response.header(HttpHeaders.LINK, page.linkAfter(last)));
        return response.header(HttpHeaders.ETAG, found.tag()).build();
    }

    /** A retry also raises the version, because the replica that created the pet may have ended before it could. */
    private RestResponse.ResponseBuilder<Pet> addOnce(NewPet pet, IdempotencyKey key, UriInfo uri) {
        IdempotencyStore.Outcome outcome = idempotency.add(pet, key);
        RestResponse.ResponseBuilder<Pet> response = created(outcome.pet(), uri);
        return outcome.replayed() ? response.header(REPLAYED, true) : response;
    }

    private static RestResponse.ResponseBuilder<Pet> created(Pet pet, UriInfo uri) {
        URI address = uri.getAbsolutePathBuilder().path(Long.toString(pet.id)).build();
        return RestResponse.ResponseBuilder.<Pet>created(address).entity(pet);
    }

    /** Parses an identifier: the decimal digits of an int64. Anything else matches no pet. */
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
