package dev.animalstore.admin;

import dev.animalstore.key.KeyDetails;
import jakarta.enterprise.context.RequestScoped;

/** What an operator's request did, once that is known: what {@link Audit} has to name. */
@RequestScoped
class AuditedKey {
    private KeyDetails key;
    private String action;
    private int outcome;

    /** The key that the request is about, or {@code null} if it has named none so far. */
    KeyDetails key() {
        return key;
    }

    /** The operation that was done, or {@code null} if none was. */
    String action() {
        return action;
    }

    /** The status with which {@code /admin} answers that operation. */
    int outcome() {
        return outcome;
    }

    void set(KeyDetails named) {
        key = named;
    }

    /** Takes note of a change. It has the same name and outcome wherever the operator asked for it. */
    void done(String operation, int status, KeyDetails changed) {
        action = operation;
        outcome = status;
        key = changed;
    }
}
