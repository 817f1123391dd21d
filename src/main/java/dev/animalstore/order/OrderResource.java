package dev.animalstore.order;

import dev.animalstore.page.Cursor;
import dev.animalstore.page.Limit;
import dev.animalstore.page.PageRequest;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** The operation on orders: {@code listOrders}. */
@Path("/v1/store/orders")
@Produces(MediaType.APPLICATION_JSON)
public class OrderResource {
    /** Lists orders in ascending order of their identifiers, a page at a time, of one status or of any. */
    @GET
    public RestResponse<List<Order>> listOrders(
            @RestQuery OrderStatus status,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery Cursor cursor,
            UriInfo uri) {
        PageRequest page =
                new PageRequest(uri, limit, cursor, status == null ? Map.of() : Map.of("status", status.value));
        return page.response(Order.page(status, page.after(), page.fetchSize()), order -> order.id);
    }
}
