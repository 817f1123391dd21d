package dev.animalstore.admin;

import dev.animalstore.key.KeyDetails;
import jakarta.enterprise.context.RequestScoped;

/** The key that an operator's request is about, once that is known: what {@link Audit} has to name. */
@RequestScoped
class AuditedKey {
    private KeyDetails key;

    /** The key, or {@code null} where the request has named none so far. */
    KeyDetails get() {
        return key;
    }

    void set(KeyDetails named) {
        key = named;
    }
}
