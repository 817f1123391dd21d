package dev.animalstore.admin;

/**
 * The identifier of a key in a path: decimal digits only. Java alone would also accept a sign, and digits of other scripts.
 *
 * @param value a positive int64
 */
public record KeyId(long value) {
    /**
     * Parses the parameter; called by Jakarta REST.
     *
     * @throws NumberFormatException if it is not such a number, which makes the response a 404
     */
    public static KeyId fromString(String text) {
        if (!text.matches("[0-9]+")) {
            throw new NumberFormatException();
        }
        return new KeyId(Long.parseLong(text));
    }
}
