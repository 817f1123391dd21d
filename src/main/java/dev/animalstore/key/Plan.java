package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import io.quarkus.panache.common.Sort;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.stream.Collectors;
import org.hibernate.annotations.Immutable;

/** What a customer pays for: requests a minute and a day, or no limits of its own where each key agrees on them. */
@Entity
@Table(name = "plan")
@Immutable
class Plan extends PanacheEntityBase {
    @Id
    String name;

    @Column(name = "per_minute")
    Integer perMinute;

    @Column(name = "per_day")
    Integer perDay;

    /**
     * The plan of that name.
     *
     * @throws ApiException {@code validation_failed} where there is none
     */
    static Plan require(String name) {
        return Plan.<Plan>findByIdOptional(name)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.VALIDATION_FAILED,
                        "plan must be one of "
                                + Plan.<Plan>streamAll(Sort.by("perMinute"))
                                        .map(plan -> plan.name)
                                        .collect(Collectors.joining(", "))
                                + "."));
    }

    boolean hasLimits() {
        return perMinute != null;
    }
}
