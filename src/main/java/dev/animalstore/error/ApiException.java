package dev.animalstore.error;

import jakarta.ws.rs.core.Response;

/** A request failed for a reason that the client can be told. It carries no stack trace: it is an answer, not a defect. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    /**
     * @param code why the request failed; it decides the status
     * @param message what the client reads
     */
    public ApiException(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    /** The reason that is sent. */
    public ErrorCode code() {
        return code;
    }

    Response.ResponseBuilder response() {
        return new ApiError(code, getMessage()).response();
    }
}
