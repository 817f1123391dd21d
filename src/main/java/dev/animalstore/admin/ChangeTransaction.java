package dev.animalstore.admin;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.function.Supplier;

/** The transaction that changes a key and runs an action of its caller. */
@ApplicationScoped
class ChangeTransaction {
    /** Changes a key and, if it exists, runs the action. If either fails, the transaction is rolled back. */
    @Transactional
    <T> Optional<T> run(Supplier<Optional<T>> change, Runnable alongside) {
        Optional<T> changed = change.get();
        if (changed.isPresent()) {
            alongside.run();
        }
        return changed;
    }
}
