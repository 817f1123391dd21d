package dev.animalstore.error;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The closed list of reasons for which a request fails, each with its HTTP status; published as an enumeration in the OpenAPI document. */
public enum ErrorCode {
    /** The body is not JSON, has duplicate members or trailing content, or is nested absurdly deep. */
    MALFORMED_JSON(400),
    /** A field of the body is missing or invalid. */
    VALIDATION_FAILED(400),
    /** A query parameter is invalid. */
    INVALID_PARAMETER(400),
    /** There is no {@code AuthorizationHeader} header. */
    MISSING_API_KEY(401),
    /** The key is of another scheme, malformed, unknown, revoked or expired; which of these is never said. */
    INVALID_API_KEY(401),
    /** There is no pet of that identifier. */
    PET_NOT_FOUND(404),
    /** There is nothing at that path. */
    NOT_FOUND(404),
    /** The path exists, though not for that method. */
    METHOD_NOT_ALLOWED(405),
    /** The client accepts no JSON. */
    NOT_ACCEPTABLE(406),
    /** The body did not arrive in time. */
    REQUEST_TIMEOUT(408),
    /** The request contradicts the present state. */
    CONFLICT(409),
    /** The deprecated operation has been removed. */
    GONE(410),
    /** The body is larger than the service reads. */
    PAYLOAD_TOO_LARGE(413),
    /** The body is not {@code application/json}. */
    UNSUPPORTED_MEDIA_TYPE(415),
    /** An idempotency key is used again with another body. */
    IDEMPOTENCY_MISMATCH(422),
    /** The quota of the minute or of the day is spent. */
    RATE_LIMIT_EXCEEDED(429),
    /** The key is banned for some time. */
    KEY_BANNED(429),
    /** A defect of the service. */
    INTERNAL_ERROR(500),
    /** The database cannot be reached. */
    SERVICE_UNAVAILABLE(503);

    private final int status;
    private final String value = name().toLowerCase(Locale.ROOT);

    ErrorCode(int status) {
        this.status = status;
    }

    /** The HTTP status that goes with this code. */
    public int status() {
        return status;
    }

    /** The code as it is sent: the constant's name in lower case. */
    @JsonValue
    public String value() {
        return value;
    }
}
