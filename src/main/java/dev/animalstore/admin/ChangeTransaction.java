package dev.animalstore.admin;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.function.Supplier;

/** The transaction in which a key is changed together with what is to be recorded of that. */
@ApplicationScoped
class ChangeTransaction {
    /** Changes a key and does what is to be done alongside, if there is such a key. */
    @Transactional
    <T> Optional<T> run(Supplier<Optional<T>> change, Runnable alongside) {
        Optional<T> changed = change.get();
        if (changed.isPresent()) {
            alongside.run();
        }
        return changed;
    }
}
