package dev.animalstore.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The JSON object that a client sent. Members are taken from it by name and type; a member that does not fit is noted and a placeholder is
 * returned, so that one {@link #verify()} at the end can name every fault at once. {@code null} fits no type. Members that nobody asks
 * for are ignored, unless {@link #allowOnly} says otherwise.
 *
 * <p>Not safe for use by several threads.
 */
public final class RequestBody {
    /** Control characters, and halves of surrogate pairs that stand alone and thus are no character at all. */
    private static final Pattern FORBIDDEN = Pattern.compile("[\\p{Cc}\\p{Cs}]");

    private static final int BYTE_ORDER_MARK = 0xFEFF;
    private static final int LAST_YEAR = 9999;

    private final ObjectNode members;
    private final String path;
    private final List<String> faults;

    RequestBody(ObjectNode members) {
        this(members, "", new ArrayList<>());
    }

    private RequestBody(ObjectNode members, String path, List<String> faults) {
        this.members = members;
        this.path = path;
        this.faults = faults;
    }

    /** Whether the client sent that member, {@code null} included. */
    public boolean has(String name) {
        return members.has(name);
    }

    /** Whether the client sent that member as {@code null}. */
    public boolean hasNull(String name) {
        return members.path(name).isNull();
    }

    /** Notes as faults all members of other names than these. */
    public void allowOnly(Set<String> names) {
        members.fieldNames().forEachRemaining(name -> {
            if (!names.contains(name)) {
                fault(name, "is unknown here");
            }
        });
    }

    /** A text of 1 to {@code maximum} Unicode code points that is not blank and has no control character and no unpaired surrogate. */
    public String requireText(String name, int maximum) {
        JsonNode member = require(name);
        if (member == null) {
            return "";
        }
        if (!member.isTextual()) {
            return fault(name, "must be a string", "");
        }
        String text = member.textValue();
        if (text.codePoints().allMatch(RequestBody::showsNothing)) {
            fault(name, "must not be blank");
        } else if (text.codePointCount(0, text.length()) > maximum) {
            fault(name, "must have at most " + maximum + " characters");
        } else if (FORBIDDEN.matcher(text).find()) {
            fault(name, "must not contain control characters or unpaired surrogates");
        }
        return text;
    }

    /** An integer of 64 bits, written without fraction or exponent. */
    public long requireInt64(String name) {
        return requireInteger(name, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** An integer within bounds, which are inclusive, written without fraction or exponent. */
    public long requireInteger(String name, long minimum, long maximum) {
        JsonNode member = require(name);
        if (member == null) {
            return minimum;
        }
        if (!member.isIntegralNumber()) {
            return fault(name, "must be an integer", minimum);
        }
        if (!member.canConvertToLong() || member.longValue() < minimum || member.longValue() > maximum) {
            return fault(name, "must be from " + minimum + " to " + maximum, minimum);
        }
        return member.longValue();
    }

    /** A constant of an enumeration, spelled in lower case; empty where the member is absent. */
    public <E extends Enum<E>> Optional<E> find(String name, Class<E> values) {
        JsonNode member = members.get(name);
        if (member == null) {
            return Optional.empty();
        }
        Optional<E> value = Choice.find(values, member.textValue());
        return value.isPresent() ? value : fault(name, "must be one of " + Choice.list(values), value);
    }

    /** A date and time with an offset (RFC 3339) up to the year 9999 of UTC; empty where the member is absent. */
    public Optional<Instant> findInstant(String name) {
        JsonNode member = members.get(name);
        if (member == null) {
            return Optional.empty();
        }
        try {
            OffsetDateTime time = OffsetDateTime.parse(member.isTextual() ? member.textValue() : "")
                    .withOffsetSameInstant(ZoneOffset.UTC);
            if (time.getYear() >= 0 && time.getYear() <= LAST_YEAR) {
                return Optional.of(time.toInstant());
            }
        } catch (DateTimeException e) {
            // Told below, together with a year that is out of bounds.
        }
        return fault(name, "must be a date and time such as 2030-12-05T00:00:00Z", Optional.empty());
    }

    /** An object within this one, whose faults are told with this one's; empty where the member is absent. */
    public Optional<RequestBody> findObject(String name) {
        JsonNode member = members.get(name);
        if (member == null) {
            return Optional.empty();
        }
        if (member instanceof ObjectNode object) {
            return Optional.of(new RequestBody(object, path + name + ".", faults));
        }
        return fault(name, "must be an object", Optional.empty());
    }

    /** Notes that a member is wrong for a reason that only its reader knows. */
    public void fault(String name, String reason) {
        faults.add(path + name + " " + reason);
    }

    /**
     * Ends the reading.
     *
     * @throws ApiException {@code validation_failed}, naming every fault, where there is one
     */
    public void verify() {
        if (!faults.isEmpty()) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, String.join("; ", faults) + ".");
        }
    }

    private <T> T fault(String name, String reason, T placeholder) {
        fault(name, reason);
        return placeholder;
    }

    /** White space of any script, non-breaking spaces and the byte order mark included, as ECMA-262 has it in the published pattern. */
    private static boolean showsNothing(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint) || codePoint == BYTE_ORDER_MARK;
    }

    private JsonNode require(String name) {
        JsonNode member = members.get(name);
        return member == null ? fault(name, "is required", null) : member;
    }
}
