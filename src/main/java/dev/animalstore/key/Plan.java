package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.annotations.Immutable;

/** What a customer pays for. Its table is filled by migrations alone. */
@Entity
@Immutable
class Plan extends PanacheEntityBase {
    /** What it is called. */
    @Id
    String name;

    /** Requests per minute; {@code null}, as {@link #perDay} is, if each key has limits of its own. */
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
     * The limits of its own that a key on this plan has: the given ones, if the plan has none, and only then.
     *
     * @throws ApiException {@code validation_failed} if they do not go with the plan
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
