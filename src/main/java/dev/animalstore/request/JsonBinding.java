package dev.animalstore.request;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Binds JSON to a {@link JsonBody} and validates it. All error messages about members are defined here and in the classes it uses. */
@Singleton
public final class JsonBinding {
    private final Validator validator;

    JsonBinding(Validator validator) {
        this.validator = validator;
    }

    /**
     * The record of a JSON text.
     *
     * @throws ApiException {@code malformed_json}, or {@code validation_failed} with a reason for each invalid member
     */
    public <T extends JsonBody> T bind(Class<T> type, String json) {
        Faults faults = new Faults(type);
        T bound = read(type, StrictBinding.of(type, faults), json);
        if (bound != null) {
            validator.validate(bound).forEach(faults::add);
        }
        faults.verify();
        return bound;
    }

    private static <T> T read(Class<T> type, ObjectReader reader, String json) {
        try (JsonParser parser = reader.createParser(json)) {
            if (parser.nextToken() == null) {
                throw malformed("The body is empty; it must be a JSON object.");
            }
            return reader.readValue(parser, type);
        } catch (StreamReadException | StreamConstraintsException | MismatchedInputException e) {
            throw malformed(
                    "The body is not well-formed JSON, has a duplicate member or trailing content, or is nested too deeply"
                            + location(e.getLocation()) + ".");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The location is {@code null} if one of Jackson's own limits, such as that of nesting, ended the parsing. */
    private static String location(JsonLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    private static ApiException malformed(String message) {
        return new ApiException(ErrorCode.MALFORMED_JSON, message);
    }
}
