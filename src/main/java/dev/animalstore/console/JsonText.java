package dev.animalstore.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.util.regex.Pattern;

/** Converts the values of a form's fields to JSON. */
final class JsonText {
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,40})");
    private static final Pattern LOCAL_TIME =
            Pattern.compile("[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?");
    private static final int LENGTH_WITHOUT_SECONDS = "00:00".length();

    private JsonText() {}

    /** A value that is not a number stays a string, which is refused as such; an empty field is absent. */
    static void putNumber(ObjectNode json, String member, String text) {
        if (INTEGER.matcher(text).matches()) {
            json.put(member, new BigInteger(text));
        } else if (!text.isEmpty()) {
            json.set(member, TextNode.valueOf(text));
        }
    }

    /** Browsers send a time without an offset; the page says that it is UTC. */
    static String instant(String text) {
        if (!LOCAL_TIME.matcher(text).matches()) {
            return text;
        }
        boolean seconds = text.length() - text.indexOf('T') - 1 > LENGTH_WITHOUT_SECONDS;
        return text + (seconds ? "Z" : ":00Z");
    }
}
