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
import jakarta.persistence.Table;
import java.util.List;
import java.util.Optional;

/** An animal of the catalogue, as it is stored and as it is sent. It is never changed or deleted. */
@Entity
@Table(name = "pet")
@JsonPropertyOrder({"id", "name", "categoryId", "status"})
public class Pet extends PanacheEntityBase {
    /** From a sequence of the database: positive, ascending in the order of insertion, never used again. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    public String name;

    @Column(name = "category_id")
    public long categoryId;

    @Enumerated(EnumType.STRING)
    public PetStatus status;

    static Pet add(NewPet newPet) {
        Pet pet = new Pet();
        pet.name = newPet.name();
        pet.categoryId = newPet.categoryId();
        pet.status = newPet.status();
        pet.persist();
        return pet;
    }

    static Optional<Pet> findPet(long id) {
        return findByIdOptional(id);
    }

    /** At most {@code count} pets after an identifier, of one status or of any, in ascending order of their identifiers. */
    static List<Pet> findPage(Optional<PetStatus> status, long after, int count) {
        return status.<List<Pet>>map(value -> Pet.<Pet>find("status = ?1 and id > ?2 order by id", value, after)
                        .range(0, count - 1)
                        .list())
                .orElseGet(() -> Pet.<Pet>find("id > ?1 order by id", after)
                        .range(0, count - 1)
                        .list());
    }
}
