package dev.animalstore.web.error;

/** The error codes of the engine, each with its HTTP status (docs/api.md). */
public enum ErrorCode implements Code {
    MALFORMED_JSON(400),
    VALIDATION_FAILED(400),
    INVALID_PARAMETER(400),
    BAD_REQUEST(400),
    MISSING_API_KEY(401),
    INVALID_API_KEY(401),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    REQUEST_TIMEOUT(408),
    CONFLICT(409),
    PAYLOAD_TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    RATE_LIMIT_EXCEEDED(429),
    KEY_BANNED(429),
    INTERNAL_ERROR(500),
    SERVICE_UNAVAILABLE(503);

    private final int status;

    ErrorCode(int status) {
        this.status = status;
    }

    @Override
    public int status() {
        return status;
    }
}
