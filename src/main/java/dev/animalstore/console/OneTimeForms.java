package dev.animalstore.console;

import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.KeyRequests;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

/** Forms that issue or change a key. Each is applied once, however often and to whichever replica it is sent. */
@Singleton
class OneTimeForms {
    private final KeyOperations keys;
    private final Clock clock;

    OneTimeForms(KeyOperations keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** Issues a key, unless the form has already issued one. The form is used up if and only if the key is issued. */
    @Transactional
    Optional<ManagedKey> issue(UUID form, KeyRequests.NewKey wanted) {
        if (!UsedForm.claim(form, clock.instant())) {
            return Optional.empty();
        }
        ManagedKey issued = keys.issue(wanted);
        UsedForm.setKey(form, issued.id());
        return Optional.of(issued);
    }

    /**
     * Marks a form as used, in the current transaction, which changes a key.
     *
     * @throws ApiException {@code conflict} if it was used before
     */
    void use(UUID form, long key) {
        if (!UsedForm.claim(form, clock.instant())) {
            throw new ApiException(ErrorCode.CONFLICT, "This form was already used.");
        }
        UsedForm.setKey(form, key);
    }

    /** The identifier of the key that a form has issued or changed. */
    Optional<Long> findKey(UUID form) {
        return UsedForm.findKey(form);
    }
}
