package dev.animalstore.admin;

import dev.animalstore.key.KeyDetails;
import jakarta.enterprise.context.RequestScoped;

/** The key and the action of an operator's request, for the {@link Audit}. */
@RequestScoped
class AuditedKey {
    private KeyDetails key;
    private String action;
    private int outcome;

    /** The key of the request, or {@code null} if it has not been determined. */
    KeyDetails key() {
        return key;
    }

    /** The completed operation, or {@code null} if there is none. */
    String action() {
        return action;
    }

    /** The status of that operation under {@code /admin}. */
    int outcome() {
        return outcome;
    }

    void set(KeyDetails named) {
        key = named;
    }

    /** Records a change. It has the same name and outcome under {@code /admin} and in the console. */
    void done(String operation, int status, KeyDetails changed) {
        action = operation;
        outcome = status;
        key = changed;
    }
}
