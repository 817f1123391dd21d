package com.acme.parcels;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.Code;
import dev.animalstore.web.http.Caller;
import dev.animalstore.web.list.ExactList;
import dev.animalstore.web.list.ExactLists;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

@Startup
@ApplicationScoped
@Path("/v1/parcels")
@Produces(MediaType.APPLICATION_JSON)
public class ParcelResource {
    public record NewParcel(
            @NotBlank @Size(max = 200) String shipTo,
            @NotNull @Min(1) Integer grams,
            @NotNull Parcel.Size size,
            BigDecimal value,
            boolean fragile,
            LocalDate due,
            Instant picked,
            UUID tracking,
            @NotNull @Size(max = 9) List<@NotBlank String> labels) {}

    /** Error codes of its own. */
    enum ParcelError implements Code {
        ALREADY_PICKED;

        @Override
        public int status() {
            return 409;
        }
    }

    private final ExactList<Parcel.Size> parcels;

    ParcelResource(ExactLists lists) {
        parcels = lists.at("/v1/parcels", Parcel::page, parcel -> parcel.id);
    }

    @GET
    public CompletionStage<RestResponse<byte[]>> list(
            @RestQuery Parcel.Size size, @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit, @RestQuery String cursor) {
        Map<String, String> filters = size == null ? Map.of() : Map.of("size", size.name());
        return parcels.find(size, PageRequest.of("/v1/parcels", limit, cursor, filters));
    }

    @POST
    @ResponseStatus(201)
    @Transactional
    public Parcel add(@Valid NewParcel wanted, Caller caller) {
        Parcel parcel = new Parcel();
        parcel.sender = caller.key();
        write(parcel, wanted).persist();
        parcels.changed();
        return parcel;
    }

    @PUT
    @Path("{id}")
    @Transactional
    public Parcel replace(@RestPath long id, @Valid NewParcel wanted) {
        Parcel parcel = Parcel.<Parcel>findByIdOptional(id).orElseThrow(NotFoundException::new);
        if (parcel.picked != null) {
            throw new ApiException(ParcelError.ALREADY_PICKED, "The parcel was picked at " + parcel.picked + ".");
        }
        parcels.changed();
        return write(parcel, wanted);
    }

    private static Parcel write(Parcel parcel, NewParcel wanted) {
        parcel.shipTo = wanted.shipTo();
        parcel.grams = wanted.grams();
        parcel.size = wanted.size();
        parcel.value = wanted.value();
        parcel.fragile = wanted.fragile();
        parcel.due = wanted.due();
        parcel.picked = wanted.picked();
        parcel.tracking = wanted.tracking();
        parcel.labels = wanted.labels();
        return parcel;
    }
}
