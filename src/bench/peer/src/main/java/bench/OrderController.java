package bench;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final OrderRepository orders;

    OrderController(OrderRepository orders) {
        this.orders = orders;
    }

    @GetMapping("/v1/store/orders")
    ResponseEntity<List<Order>> list(
            @RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit,
            @RequestParam(required = false) Order.Status status,
            @RequestParam(defaultValue = "0") long cursor) {
        Limit rows = Limit.of(limit + 1);
        return NextLink.page(
                status == null
                        ? orders.findByIdGreaterThanOrderById(cursor, rows)
                        : orders.findByStatusAndIdGreaterThanOrderById(status, cursor, rows),
                limit,
                order -> order.id);
    }
}

interface OrderRepository extends JpaRepository<Order, Long> {
    List<Order> findByIdGreaterThanOrderById(long after, Limit limit);

    List<Order> findByStatusAndIdGreaterThanOrderById(Order.Status status, long after, Limit limit);
}
