package dev.animalstore.store.pet;

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
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.Immutable;

/** An animal of the catalogue, as stored and as sent. It is never changed or deleted. */
@Entity
@Immutable
@JsonPropertyOrder({"id", "name", "categoryId", "status"})
public class Pet extends PanacheEntityBase {
    /** From a database sequence: positive, drawn before the commit, never reused. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    public String name;

    public long categoryId;

    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "pet_status")
    public PetStatus status;

    /** At most {@code count} pets after an identifier, of one status or, for {@code null}, of any, in ascending order of their identifiers. */
    static List<Pet> page(PetStatus status, long after, int count) {
        // A literal, not a parameter, so that PostgreSQL uses the partial index of the status.
        String ofStatus = status == null ? "" : "status = " + status.name() + " and ";
        return find(ofStatus + "id > ?1 order by id", after).range(0, count - 1).list();
    }

    /**
     * Adds a pet by one auto-committed statement. So it is in the database when this returns, and the time between drawing its identifier
     * and the commit, in which a walk through the list may miss it, is as short as possible.
     */
    static Pet add(NewPet wanted) {
        Pet pet = of(null, wanted);
        // By the factory, since a thread without a request has no session.
        SessionFactory sessions = getEntityManager().getEntityManagerFactory().unwrap(SessionFactory.class);
        try (StatelessSession session = sessions.openStatelessSession()) {
            session.insert(pet);
        }
        return pet;
    }

    static Pet of(Long id, NewPet wanted) {
        Pet pet = new Pet();
        pet.id = id;
        pet.name = wanted.name();
        pet.categoryId = wanted.categoryId();
        pet.status = wanted.status();
        return pet;
    }
}
