package bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.EnumeratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

@Entity
@Table(name = "store_order")
public class Order {
    @Id
    public Long id;

    public long petId;
    public int quantity;

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public Instant shipDate;

    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "order_status")
    public Status status;

    public boolean complete;

    public enum Status {
        PLACED, APPROVED, DELIVERED;

        @JsonValue
        @EnumeratedValue
        final String value = name().toLowerCase();
    }
}
