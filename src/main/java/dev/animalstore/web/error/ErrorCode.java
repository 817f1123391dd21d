package dev.animalstore.web.error;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The closed list of error codes, each with its HTTP status (docs/api.md). The OpenAPI document publishes it as an enumeration. */
public enum ErrorCode {
    MALFORMED_JSON(400),
    VALIDATION_FAILED(400),
    INVALID_PARAMETER(400),
    BAD_REQUEST(400),
    MISSING_API_KEY(401),
    INVALID_API_KEY(401),
    PET_NOT_FOUND(404),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    REQUEST_TIMEOUT(408),
    CONFLICT(409),
    GONE(410),
    PAYLOAD_TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    IDEMPOTENCY_MISMATCH(422),
    RATE_LIMIT_EXCEEDED(429),
    KEY_BANNED(429),
    INTERNAL_ERROR(500),
    SERVICE_UNAVAILABLE(503);

    private final int status;
    private final String value = name().toLowerCase(Locale.ROOT);

    ErrorCode(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }

    @JsonValue
    public String value() {
        return value;
    }
}
