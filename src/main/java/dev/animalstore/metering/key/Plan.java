package dev.animalstore.metering.key;

import dev.animalstore.web.error.ApiException;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hibernate.annotations.Immutable;
import org.hibernate.validator.constraints.Range;

/** A plan that customers subscribe to. The owner of the schema writes its table (docs/keys.md), the service never does. */
@Entity
@Immutable
public class Plan extends PanacheEntityBase {
    @Id
    public String name;

    /** Those of its keys; {@code null} if each key has its own. */
    @Embedded
    public Limits limits;

    /** All plans, those without limits last. */
    public static List<Plan> listInOrder() {
        return list("order by limits.perMinute nulls last, name");
    }

    /**
     * The plan with that name.
     *
     * @throws ApiException {@code validation_failed}
     */
    static Plan get(String name) {
        return Plan.<Plan>findByIdOptional(name)
                .orElseThrow(() -> ApiException.invalidFields(Map.of(
                        "plan",
                        "must be one of "
                                + listInOrder().stream().map(plan -> plan.name).collect(Collectors.joining(", ")))));
    }

    /**
     * Why a plan with that name cannot be chosen with limits, or without any, by the field.
     *
     * @param limited whether there are limits of the key's own
     */
    public static Map<String, String> reasons(String name, boolean limited) {
        try {
            get(name).verify(limited);
            return Map.of();
        } catch (ApiException refusal) {
            return refusal.reasons();
        }
    }

    void verify(boolean limited) {
        if (limits != null && limited) {
            throw ApiException.invalidFields(Map.of("limits", "must be absent: the plan " + name + " has its own"));
        }
        if (limits == null && !limited) {
            throw ApiException.invalidFields(Map.of("limits", "is required: the plan " + name + " has none"));
        }
    }

    /** The limits of a key, in requests. */
    @Embeddable
    public record Limits(
            @NotNull @Range(min = 1, max = Integer.MAX_VALUE)
            Integer perMinute,

            @NotNull @Range(min = 1, max = Integer.MAX_VALUE)
            Integer perDay) {}
}
