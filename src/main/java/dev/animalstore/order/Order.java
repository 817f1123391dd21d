package dev.animalstore.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.hibernate.annotations.Immutable;

/** An order of one kind of animal, as another system recorded it. */
@Entity(name = "StoreOrder")
@Table(name = "store_order")
@Immutable
@JsonPropertyOrder({"id", "petId", "quantity", "shipDate", "status", "complete"})
public class Order extends PanacheEntityBase {
    @Id
    public Long id;

    @Column(name = "pet_id")
    public long petId;

    public int quantity;

    /** When it is or was shipped; absent from the JSON while that is not known. */
    @Column(name = "ship_date")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public Instant shipDate;

    @Enumerated(EnumType.STRING)
    public OrderStatus status;

    public boolean complete;

    /** At most {@code count} orders after an identifier, of one status or of any, in ascending order of their identifiers. */
    static List<Order> findPage(Optional<OrderStatus> status, long after, int count) {
        return status.<List<Order>>map(value -> Order.<Order>find("status = ?1 and id > ?2 order by id", value, after)
                        .range(0, count - 1)
                        .list())
                .orElseGet(() -> Order.<Order>find("id > ?1 order by id", after)
                        .range(0, count - 1)
                        .list());
    }
}
