package dev.animalstore.gate;

import dev.animalstore.error.ErrorCode;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.FailedAuthenticationLimit;
import dev.animalstore.request.ClientAddress;
import io.vertx.core.net.SocketAddress;
import jakarta.inject.Singleton;

/**
 * Ends requests that are not known to have a valid key. There is no quota of a key to show, so the headers show the failed-authentication
 * limit of the address.
 */
@Singleton
final class Refusals {
    private final FailedAuthenticationLimit failures;

    Refusals(FailedAuthenticationLimit failures) {
        this.failures = failures;
    }

    /** Whether an address may send more requests without a valid key. */
    boolean isBudgetLeft(SocketAddress peer) {
        return failures.peek(ClientAddress.of(peer)).outcome() == Outcome.ADMITTED;
    }

    /** Refuses a request without a valid key and charges it to the address. */
    void refuse(Admission admission, AuthorizationHeader.Refusal refusal) {
        Decision budget = failures.charge(ClientAddress.of(admission.peer()));
        QuotaHeaders.write(budget, admission.responseHeaders());
        if (budget.outcome() == Outcome.REFUSED) {
            admission.refuse(
                    ErrorCode.RATE_LIMIT_EXCEEDED,
                    budget.retryAfterSeconds(),
                    "Too many requests without a valid API key came from this address.");
        } else {
            admission.refuse(refusal);
        }
    }

    /** Refuses a request whose key was not looked up. It may be valid, so a retry is useful long before the address's limit resets. */
    void postpone(Admission admission) {
        writeBudget(admission);
        admission.refuse(
                ErrorCode.RATE_LIMIT_EXCEEDED,
                1,
                "Too many requests without a valid API key came from this address, and other keys are being looked up.");
    }

    /** Fails a request whose key cannot be checked. */
    void fail(Admission admission, Throwable failure) {
        writeBudget(admission);
        admission.fail(failure);
    }

    private void writeBudget(Admission admission) {
        QuotaHeaders.write(failures.peek(ClientAddress.of(admission.peer())), admission.responseHeaders());
    }
}
