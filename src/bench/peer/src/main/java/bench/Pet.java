package bench;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumeratedValue;
import jakarta.persistence.Enumerated;
import jakarta.persistence.EnumType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

@Entity
@JsonPropertyOrder({"id", "name", "categoryId", "status"})
public class Pet {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    public String name;
    public long categoryId;

    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "pet_status")
    public Status status;

    public enum Status {
        AVAILABLE, PENDING, SOLD;

        @JsonValue
        @EnumeratedValue
        final String value = name().toLowerCase();
    }
}
