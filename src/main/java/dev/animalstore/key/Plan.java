package dev.animalstore.key;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
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
}
