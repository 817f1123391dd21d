package dev.animalstore.store.order;

import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** The operation on orders: {@code listOrders}. */
@Path(OrderResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public class OrderResource {
    static final String PATH = "/v1/store/orders";

    /** Lists orders in ascending order of their identifiers, a page at a time, of one status or of any. */
    @GET
    public RestResponse<List<Order>> listOrders(
            @RestQuery OrderStatus status,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            HttpServerRequest request) {
        PageRequest page =
                PageRequest.of(PATH, limit, cursor, status == null ? Map.of() : Map.of("status", status.value));
        return page.response(Order.page(status, page.after(), page.fetchSize()), order -> order.id, request);
    }
}
