package dev.animalstore.error;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The closed list of error codes, each with its HTTP status. The OpenAPI document publishes it as an enumeration. */
public enum ErrorCode {
    /** The body is not JSON, has duplicate members or trailing content, or is nested too deeply. */
    MALFORMED_JSON(400),
    /** A field of the body is missing or invalid. */
    VALIDATION_FAILED(400),
    /** A query parameter is invalid. */
    INVALID_PARAMETER(400),
    /** The request itself is malformed or ambiguous: its target, host, framing or a header. */
    BAD_REQUEST(400),
    /** There is no {@code Authorization} header, under {@code /v1} or {@code /admin}. */
    MISSING_API_KEY(401),
    /**
     * The key or the operators' token is malformed, unknown, revoked or expired, or the scheme is not Bearer. The message never says which.
     */
    INVALID_API_KEY(401),
    PET_NOT_FOUND(404),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    REQUEST_TIMEOUT(408),
    CONFLICT(409),
    GONE(410),
    /** {@code If-Match} of a list names no current tag of it. */
    PRECONDITION_FAILED(412),
    PAYLOAD_TOO_LARGE(413),
    /** The body is not {@code application/json}, or has a {@code Content-Encoding}. */
    UNSUPPORTED_MEDIA_TYPE(415),
    /** An idempotency key was reused with another body. */
    IDEMPOTENCY_MISMATCH(422),
    /** The per-minute or per-day quota is exceeded, or the limit of failed authentications of an address. */
    RATE_LIMIT_EXCEEDED(429),
    KEY_BANNED(429),
    /** A defect of the service. */
    INTERNAL_ERROR(500),
    /** The service is temporarily unavailable: the database fails, a key keeps changing, or Redis cannot lift a ban. */
    SERVICE_UNAVAILABLE(503);

    private final int status;
    private final String value = name().toLowerCase(Locale.ROOT);

    ErrorCode(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }

    /** The code as clients see it: the constant's name in lower case. */
    @JsonValue
    public String value() {
        return value;
    }
}
