package bench;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pets")
class PetController {
    private final PetRepository pets;

    PetController(PetRepository pets) {
        this.pets = pets;
    }

    record NewPet(@NotBlank @Size(max = 255) String name, @NotNull Long categoryId, Pet.Status status) {}

    @GetMapping
    ResponseEntity<List<Pet>> list(
            @RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit,
            @RequestParam(required = false) Pet.Status status,
            @RequestParam(defaultValue = "0") long cursor) {
        Limit rows = Limit.of(limit + 1);
        return NextLink.page(
                status == null
                        ? pets.findByIdGreaterThanOrderById(cursor, rows)
                        : pets.findByStatusAndIdGreaterThanOrderById(status, cursor, rows),
                limit,
                pet -> pet.id);
    }

    @PostMapping
    @Transactional
    ResponseEntity<Pet> create(@Valid @RequestBody NewPet wanted) {
        Pet pet = new Pet();
        pet.name = wanted.name();
        pet.categoryId = wanted.categoryId();
        pet.status = wanted.status() == null ? Pet.Status.AVAILABLE : wanted.status();
        pets.save(pet);
        return ResponseEntity.created(URI.create("/v1/pets/" + pet.id)).body(pet);
    }

    @GetMapping("/{id}")
    ResponseEntity<?> get(@PathVariable long id) {
        return pets.findById(id)
                .<ResponseEntity<?>>map(ResponseEntity::ok)
                .orElseGet(() -> ApiError.response(HttpStatus.NOT_FOUND, "pet_not_found", "There is no such pet."));
    }
}
