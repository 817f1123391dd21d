package dev.animalstore.store.pet;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.outage.Bulkhead;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.store.pet.CataloguePage.Place;
import dev.animalstore.store.pet.IdempotencyStore.Outcome;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.input.Caller;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.MultiMap;
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
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on pets: {@code listPets}, {@code createPet} and {@code getPet} of the interface specification. */
@ApplicationScoped
@Path(PetResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public class PetResource {
    static final String PATH = "/v1/pets";

    /** A list is asked for again each time, at the cost of a 304, because any addition may change it. */
    private static final CharSequence REVALIDATED = io.vertx.core.http.HttpHeaders.createOptimized("private, no-cache");

    /** Decimal digits only: Java alone would also accept a sign, and digits of other scripts. */
    private static final Pattern IDENTIFIER = Pattern.compile("[0-9]{1,19}");

    /** How many run at a time (docs/scale.md). */
    private static final int MAXIMUM_ADDITIONS = 6;

    private final Deprecation deprecation;
    private final IdempotencyStore idempotency;
    private final Catalogue catalogue;
    private final CatalogueVersion version;
    private final DatabaseBreaker database;
    private final Bulkhead additions;

    PetResource(
            Deprecation deprecation,
            IdempotencyStore idempotency,
            Catalogue catalogue,
            CatalogueVersion version,
            DatabaseBreaker database,
            Ticker ticker) {
        this.deprecation = deprecation;
        this.idempotency = idempotency;
        this.catalogue = catalogue;
        this.version = version;
        this.database = database;
        additions = new Bulkhead("additions", MAXIMUM_ADDITIONS, ticker);
    }

    /**
     * Lists pets in ascending order of their identifiers, a page at a time, of one status or of any. A client that names the page's entity
     * tag in {@code If-None-Match} gets 304 without the page.
     */
    @GET
    @NonBlocking
    public CompletionStage<RestResponse<byte[]>> listPets(
            @RestQuery PetStatus status,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            @RestHeader(HttpHeaders.IF_NONE_MATCH) List<String> known,
            RoutingContext exchange) {
        PageRequest page =
                PageRequest.of(PATH, limit, cursor, status == null ? Map.of() : Map.of("status", status.value));
        return CatalogueVersion.of(exchange)
                .toCompletionStage()
                .thenCompose(version -> catalogue.find(new Place(status, page), version))
                .thenApply(found -> listed(found, known, exchange));
    }

    /**
     * Adds a pet, once per {@code Idempotency-Key}. Before the response is sent it is committed, and every list shows it: a retry also
     * announces it, because the replica that created it may have ended before it could.
     */
    @POST
    @NonBlocking
    public Uni<RestResponse<Pet>> createPet(NewPet wanted, RoutingContext exchange) {
        // RestHeader would drop an empty one.
        List<String> keys = exchange.request().headers().getAll(IdempotencyStore.HEADER);
        return Uni.createFrom()
                .completionStage(() -> additions.run(() -> {
                    database.verify();
                    return keys.isEmpty()
                            ? new Outcome(Pet.add(wanted), false)
                            : idempotency.add(wanted, Caller.of(exchange), keys);
                }))
                .call(version::announce)
                // Not cancelled if the client disconnects, since a committed pet must be announced.
                .memoize()
                .indefinitely()
                .map(this::created);
    }

    /** The address is that of a deprecated operation, and leads nowhere once that is removed. */
    private RestResponse<Pet> created(Outcome outcome) {
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
        return find(petId).orElseThrow(() -> new ApiException(ErrorCode.PET_NOT_FOUND, "There is no such pet."));
    }

    private static Optional<Pet> find(String petId) {
        try {
            return IDENTIFIER.matcher(petId).matches() ? Pet.findByIdOptional(Long.parseLong(petId)) : Optional.empty();
        } catch (NumberFormatException beyondInt64) {
            return Optional.empty();
        }
    }

    /**
     * The response to a list. Adds the headers to the exchange, since Quarkus REST would copy those of a response several times.
     */
    private static RestResponse<byte[]> listed(CataloguePage found, List<String> known, RoutingContext exchange) {
        MultiMap headers = exchange.response().headers();
        headers.set(HttpHeaders.CACHE_CONTROL, REVALIDATED);
        headers.set(HttpHeaders.ETAG, found.tag());
        if (found.next() != null) {
            headers.set(HttpHeaders.LINK, PageRequest.link(exchange.request(), found.next()));
        }
        return found.isAmong(known) ? RestResponse.notModified() : RestResponse.ok(found.body());
    }
}
