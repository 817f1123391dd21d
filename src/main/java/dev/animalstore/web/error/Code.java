package dev.animalstore.web.error;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A code of an error, with its status. Those of the engine are {@link ErrorCode}; an enumeration of another's own implements this. */
public interface Code {
    int status();

    /** As an enumeration has it. */
    String name();

    /** What clients read: the name in lower case. */
    @JsonValue
    default String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
