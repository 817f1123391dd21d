package dev.animalstore.web.error;

import dev.animalstore.outage.DatabaseBreaker;
import java.util.Map;
import java.util.stream.Collectors;

/** A request failed for a reason that is reported to the client. It has no stack trace, since it is an expected response and not a defect. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Code code;
    private final transient Map<String, String> reasons;

    /** The message is what the client reads, as in {@link ApiError}. */
    public ApiException(Code code, String message) {
        this(code, message, Map.of());
    }

    private ApiException(Code code, String message, Map<String, String> reasons) {
        super(message, null, false, false);
        this.code = code;
        this.reasons = reasons;
    }

    /** An {@code invalid_parameter} with a message, which names the parameter and its bounds. */
    public static ApiException invalidParameter(String message) {
        return new ApiException(ErrorCode.INVALID_PARAMETER, message);
    }

    public static ApiException unavailable() {
        return new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The service is temporarily unavailable. Retry later.");
    }

    /** What those get who share a query that has failed. An outage is recorded here, as one failure: none of them records it again. */
    public static Throwable ofShared(Throwable failure, DatabaseBreaker database) {
        if (!database.isOutage(failure)) {
            return failure;
        }
        database.record(failure);
        return unavailable();
    }

    /**
     * A {@code validation_failed} for fields of a body. The message names each field and its reason.
     *
     * @param reasons by field, as in {@code "owner": "must not be blank"}
     */
    public static ApiException invalidFields(Map<String, String> reasons) {
        String message = reasons.entrySet().stream()
                .map(reason -> reason.getKey() + " " + reason.getValue())
                .collect(Collectors.joining("; ", "", "."));
        return new ApiException(ErrorCode.VALIDATION_FAILED, message, reasons);
    }

    public Code code() {
        return code;
    }

    /** The reason for each invalid field, in the order of the message; empty if the error is not about fields. */
    public Map<String, String> reasons() {
        return reasons;
    }
}
