package dev.animalstore.console;

import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.KeyRequests;
import dev.animalstore.admin.ManagedKey;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

/** Forms that issue a key. Each issues one, however often and to whichever replica it is sent. */
@Singleton
class IssueForms {
    private final KeyOperations keys;
    private final Clock clock;

    IssueForms(KeyOperations keys, Clock clock) {
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

    /** The identifier of the key that a form has issued. */
    Optional<Long> findKey(UUID form) {
        return UsedForm.findKey(form);
    }
}
