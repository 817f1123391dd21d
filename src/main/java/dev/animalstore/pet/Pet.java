package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Optional;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.Immutable;

/** An animal of the catalogue, as it is stored and as it is sent. It is never changed or deleted. */
@Entity
@Immutable
@JsonPropertyOrder({"id", "name", "categoryId", "status"})
public class Pet extends PanacheEntityBase {
    /** From a sequence of the database: positive, drawn before the pet is committed, never used again. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    /** 1 to 255 Unicode code points, exactly as sent. */
    public String name;

    /** Any 64-bit integer. */
    public long categoryId;

    /** Whether it can be had. */
    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "pet_status")
    public PetStatus status;

    /** At most {@code count} pets after an identifier, of one status or of any, in ascending order of their identifiers. */
    static List<Pet> page(Optional<PetStatus> status, long after, int count) {
        // A literal, and not a parameter, meets the status's own index.
        String ofStatus = status.map(one -> "status = " + one.name() + " and ").orElse("");
        return find(ofStatus + "id > ?1 order by id", after).range(0, count - 1).list();
    }

    /** The pet of that identifier, if there is one. */
    static Optional<Pet> find(long id) {
        return findByIdOptional(id);
    }

    /**
     * Adds what a client asks for. It is one statement that commits itself, so the pet is in the database when this returns, and as little time
     * as possible passes between the drawing of its identifier and the commit, in which a walk through the list may miss it.
     */
    static Pet add(NewPet wanted) {
        Pet pet = new Pet();
        pet.name = wanted.name();
        pet.categoryId = wanted.categoryId();
        pet.status = wanted.status();
        try (StatelessSession session =
                getEntityManager().unwrap(Session.class).getSessionFactory().openStatelessSession()) {
            session.insert(pet);
        }
        return pet;
    }
}
