package dev.animalstore.page;

import dev.animalstore.error.ApiException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The position where a page ended: the identifier of its last row, with a checksum that binds it to its list and filter. Opaque to clients:
 * 16 characters of base64url. The checksum detects mistakes, not forgery, which gains nothing: the reader of a list may read it from any
 * position.
 *
 * @param text as clients send it, valid or not
 */
public record Cursor(String text) {
    private static final int BYTES = Long.BYTES + Integer.BYTES;

    /** 12 bytes are exactly 16 characters, so a cursor has only one form. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{16}");

    /** The cursor of a position in a list. */
    static Cursor of(long lastId, String scope) {
        byte[] bytes = ByteBuffer.allocate(BYTES)
                .putLong(lastId)
                .putInt(checksum(lastId, scope))
                .array();
        return new Cursor(Base64.getUrlEncoder().encodeToString(bytes));
    }

    /**
     * The identifier in the cursor.
     *
     * @throws ApiException {@code invalid_parameter} if the cursor is damaged or comes from another list or filter
     */
    long lastId(String scope) {
        if (FORM.matcher(text).matches()) {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            long lastId = bytes.getLong();
            if (bytes.getInt() == checksum(lastId, scope)) {
                return lastId;
            }
        }
        throw ApiException.invalidParameter(
                "cursor is damaged or belongs to another list or filter; take it from a Link header.");
    }

    private static int checksum(long lastId, String scope) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(lastId).flip());
        checksum.update(scope.getBytes(StandardCharsets.UTF_8));
        return (int) checksum.getValue();
    }
}
