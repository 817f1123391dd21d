package dev.animalstore.page;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The place where a page ended: the identifier of its last row, with a checksum that binds it to the list and filter it was made for.
 * Opaque to clients: 16 characters of base64url. The checksum finds mistakes, not forgers, who gain nothing: a cursor only says where to
 * go on in a list that its reader may read from the start.
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

    /** The identifier in a cursor, or empty where the text is damaged or comes from another list or filter. */
    static OptionalLong decode(String text, String scope) {
        // 12 bytes are exactly 16 characters, so that a cursor has one spelling only.
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
