package dev.animalstore.order;

import dev.animalstore.page.PageRequest;
import dev.animalstore.page.Pages;
import dev.animalstore.request.QueryParameters;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** The operation on orders: {@code listOrders}. */
@Path("/v1/store/orders")
@Produces(MediaType.APPLICATION_JSON)
public class OrderResource {
    private final Pages pages;

    OrderResource(Pages pages) {
        this.pages = pages;
    }

    /** Lists orders in ascending order of their identifiers, a page at a time. */
    @GET
    public RestResponse<List<Order>> listOrders(UriInfo uri) {
        Optional<OrderStatus> status = new QueryParameters(uri).find("status", OrderStatus.class);
        PageRequest page = pages.read(uri, "status", status.map(OrderStatus::value));
        return page.response(Order.page(status, page.after(), page.fetchSize()), order -> order.id);
    }
}
