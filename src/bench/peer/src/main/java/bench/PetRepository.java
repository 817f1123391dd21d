package bench;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface PetRepository extends JpaRepository<Pet, Long> {
    List<Pet> findByIdGreaterThanOrderById(long after, Limit limit);

    List<Pet> findByStatusAndIdGreaterThanOrderById(Pet.Status status, long after, Limit limit);
}
