package dev.animalstore.admin;

/**
 * The identifier of a key in a path: decimal digits, as this service writes them. Java by itself would also read a sign, and digits of other
 * scripts.
 *
 * @param value a positive int64
 */
public record KeyId(long value) {
    /**
     * Reads it, as Jakarta REST does for a parameter of this type.
     *
     * @throws NumberFormatException if it is no such number, so the path is not found
     */
    public static KeyId fromString(String text) {
        if (!text.matches("[0-9]+")) {
            throw new NumberFormatException();
        }
        return new KeyId(Long.parseLong(text));
    }
}
