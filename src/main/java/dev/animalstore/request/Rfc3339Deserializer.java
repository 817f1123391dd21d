package dev.animalstore.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * A date and time with an offset (RFC 3339), up to the year 9999 in UTC. Jackson's own deserializer accepts numbers, more formats and any
 * year.
 */
final class Rfc3339Deserializer extends StdScalarDeserializer<Instant> {
    private static final long serialVersionUID = 1;
    private static final int LAST_YEAR = 9999;

    Rfc3339Deserializer() {
        super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        try {
            OffsetDateTime time = OffsetDateTime.parse(parser.hasToken(JsonToken.VALUE_STRING) ? parser.getText() : "")
                    .withOffsetSameInstant(ZoneOffset.UTC);
            if (time.getYear() >= 0 && time.getYear() <= LAST_YEAR) {
                return time.toInstant();
            }
        } catch (DateTimeException e) {
            // Reported below, together with a year that is out of bounds.
        }
        return context.reportInputMismatch(this, "no date and time");
    }
}
