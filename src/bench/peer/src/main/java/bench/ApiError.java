package bench;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** The body of every error. */
record ApiError(String code, String message, int status) {
    static ResponseEntity<ApiError> response(HttpStatus status, String code, String message) {
        return ResponseEntity.status(status).body(new ApiError(code, message, status.value()));
    }

    @RestControllerAdvice
    static class Handlers {
        @ExceptionHandler
        ResponseEntity<ApiError> malformed(HttpMessageNotReadableException exception) {
            return response(HttpStatus.BAD_REQUEST, "malformed_json", "The body is not a valid JSON object.");
        }

        @ExceptionHandler
        ResponseEntity<ApiError> invalid(MethodArgumentNotValidException exception) {
            var fields = exception.getFieldErrors().stream().map(e -> e.getField() + " " + e.getDefaultMessage()).toList();
            return response(HttpStatus.BAD_REQUEST, "validation_failed", String.join("; ", fields));
        }

        @ExceptionHandler({HandlerMethodValidationException.class, MethodArgumentTypeMismatchException.class})
        ResponseEntity<ApiError> invalidParameter(Exception exception) {
            return response(HttpStatus.BAD_REQUEST, "invalid_parameter", "A parameter is invalid.");
        }
    }
}
