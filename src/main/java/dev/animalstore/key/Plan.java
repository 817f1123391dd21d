package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.Immutable;

/** A plan that customers subscribe to. Only migrations write its table. */
@Entity
@Immutable
public class Plan extends PanacheEntityBase {
    @Id
    String name;

    /** {@code null}, like {@link #perDay}, if each key has its own limits. */
    Integer perMinute;

    Integer perDay;

    /** All plans, those without limits last. */
    static List<Plan> listInOrder() {
        return list("order by perMinute nulls last, name");
    }

    public String name() {
        return name;
    }

    /** The limits of its keys; {@code null} if each key has its own. */
    public KeyLimits limits() {
        return perMinute == null ? null : new KeyLimits(perMinute, perDay);
    }

    void verify(KeyLimits own) {
        if (perMinute != null && own != null) {
            throw ApiException.invalidFields(Map.of("limits", "must be absent: the plan " + name + " has its own"));
        }
        if (perMinute == null && own == null) {
            throw ApiException.invalidFields(Map.of("limits", "is required: the plan " + name + " has none"));
        }
    }
}
