package dev.animalstore.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The JSON object that a client sent. Members are taken from it by name and type; a member that does not fit is noted and a placeholder is
 * returned, so that one {@link #verify()} at the end can name every fault at once. {@code null} fits no type. Members that nobody asks
 * for are ignored.
 *
 * <p>Not safe for use by several threads.
 */
public final class RequestBody {
    /** Control characters, and halves of surrogate pairs that stand alone and thus are no character at all. */
    private static final Pattern FORBIDDEN = Pattern.compile("[\\p{Cc}\\p{Cs}]");

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final ObjectNode members;
    private final List<String> faults = new ArrayList<>();

    RequestBody(ObjectNode members) {
        this.members = members;
    }

    /** A text of 1 to {@code maximum} Unicode code points that is not blank and has no control character and no unpaired surrogate. */
    public String requireText(String name, int maximum) {
        JsonNode member = require(name);
        if (member == null) {
            return "";
        }
        if (!member.isTextual()) {
            faults.add(name + " must be a string");
            return "";
        }
        String text = member.textValue();
        if (text.codePoints().allMatch(RequestBody::showsNothing)) {
            faults.add(name + " must not be blank");
        } else if (text.codePointCount(0, text.length()) > maximum) {
            faults.add(name + " must have at most " + maximum + " characters");
        } else if (FORBIDDEN.matcher(text).find()) {
            faults.add(name + " must not contain control characters or unpaired surrogates");
        }
        return text;
    }

    /** An integer of 64 bits, written without fraction or exponent. */
    public long requireInt64(String name) {
        JsonNode member = require(name);
        if (member == null) {
            return 0;
        }
        if (!member.isIntegralNumber()) {
            faults.add(name + " must be an integer");
        } else if (!member.canConvertToLong()) {
            faults.add(name + " must be from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
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
        if (value.isEmpty()) {
            faults.add(name + " must be one of " + Choice.list(values));
        }
        return value;
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

    /** White space of any script, non-breaking spaces and the byte order mark included, as ECMA-262 has it in the published pattern. */
    private static boolean showsNothing(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint) || codePoint == BYTE_ORDER_MARK;
    }

    private JsonNode require(String name) {
        JsonNode member = members.get(name);
        if (member == null) {
            faults.add(name + " is required");
        }
        return member;
    }
}
