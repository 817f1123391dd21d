package dev.animalstore.page;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The position where a page ended: the identifier of its last row, with a checksum that binds it to its list and filter. Opaque to clients:
 * 16 characters of base64url. The checksum detects mistakes, not forgery, which gains nothing: the reader of a list may read it from any
 * position.
 */
final class Cursor {
    private static final int BYTES = Long.BYTES + Integer.BYTES;

    private Cursor() {}

    static String encode(long lastId, String scope) {
        byte[] bytes = ByteBuffer.allocate(BYTES)
                .putLong(lastId)
                .putInt(checksum(lastId, scope))
                .array();
        return Base64.getUrlEncoder().encodeToString(bytes);
    }

    /** The identifier in a cursor; empty if the cursor is damaged or comes from another list or filter. */
    static OptionalLong decode(String text, String scope) {
        // 12 bytes are exactly 16 characters, so a cursor has only one form.
        if (!text.matches("[A-Za-z0-9_-]{16}")) {
            return OptionalLong.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        long lastId = bytes.getLong();
        return bytes.getInt() == checksum(lastId, scope) ? OptionalLong.of(lastId) : OptionalLong.empty();
    }

    private static int checksum(long lastId, String scope) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(lastId).flip());
        checksum.update(scope.getBytes(StandardCharsets.UTF_8));
        return (int) checksum.getValue();
    }
}
