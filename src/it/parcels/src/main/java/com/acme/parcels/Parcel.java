package com.acme.parcels;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

@Entity
public class Parcel extends PanacheEntityBase {
    public enum Size { small, large }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    /** The number of the key that sent it. */
    public long sender;

    @Column(name = "ship_to")
    public String shipTo;

    public int grams;

    @Enumerated(EnumType.STRING)
    public Size size;

    public BigDecimal value;
    public boolean fragile;
    public LocalDate due;
    public Instant picked;
    public UUID tracking;
    public List<String> labels;

    static List<Parcel> page(Size size, long after, int count) {
        return (size == null
                        ? find("id > ?1 order by id", after)
                        : find("size = ?1 and id > ?2 order by id", size, after))
                .page(0, count)
                .list();
    }
}
