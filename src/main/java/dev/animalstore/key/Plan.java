package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.annotations.Immutable;

/** A plan that customers subscribe to. Only migrations write its table. */
@Entity
@Immutable
class Plan extends PanacheEntityBase {
    /** The name of the plan. */
    @Id
    String name;

    /** Requests per minute; {@code null}, like {@link #perDay}, if each key has its own limits. */
    Integer perMinute;

    /** Requests per day. */
    Integer perDay;

    /** All plans, those without limits last. */
    static List<Plan> listInOrder() {
        return list("order by perMinute nulls last, name");
    }

    boolean hasLimits() {
        return perMinute != null;
    }

    /**
     * The own limits of a key on this plan: the given ones if the plan has none, otherwise none.
     *
     * @throws ApiException {@code validation_failed} if they do not match the plan
     */
    Optional<KeyLimits> agree(Optional<KeyLimits> limits) {
        if (hasLimits() && limits.isPresent()) {
            throw ApiException.invalidFields(Map.of("limits", "must be absent: the plan " + name + " has its own"));
        }
        if (!hasLimits() && limits.isEmpty()) {
            throw ApiException.invalidFields(Map.of("limits", "is required: the plan " + name + " has none"));
        }
        return limits;
    }
}
