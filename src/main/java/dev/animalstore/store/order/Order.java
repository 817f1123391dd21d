package dev.animalstore.store.order;

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
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** An order of a pet, written by another system. This service only reads it. */
@Entity
@Immutable
@Table(name = "store_order")
@JsonPropertyOrder({"id", "petId", "quantity", "shipDate", "status", "complete"})
public class Order extends PanacheEntityBase {
    /** Positive and ascending. */
    @Id
    public long id;

    /** The pet, which need not exist in this catalogue. */
    public long petId;

    public int quantity;

    /** When it is or was shipped; {@code null}, and absent from the JSON, while unknown. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    // Otherwise it is read by way of Timestamp, whose dates before October 1582 are those of the Julian calendar.
    @JdbcTypeCode(SqlTypes.TIMESTAMP_WITH_TIMEZONE)
    public Instant shipDate;

    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "order_status")
    public OrderStatus status;

    public boolean complete;

    /** At most {@code count} orders after an identifier, of one status or, for {@code null}, of any, in ascending order of their identifiers. */
    static List<Order> page(OrderStatus status, long after, int count) {
        // A literal, not a parameter, so that PostgreSQL uses the partial index of the status.
        String ofStatus = status == null ? "" : "status = " + status.name() + " and ";
        return find(ofStatus + "id > ?1 order by id", after).range(0, count - 1).list();
    }
}
