package dev.animalstore.pet;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** A page of the catalogue, serialised as it is sent. */
final class CataloguePage {
    /** The length of a tag: 128 bits of a digest. */
    private static final int TAG_BYTES = 16;

    private static final Pattern TAG = Pattern.compile("\"[^\"]*\"");

    private final byte[] body;
    private final OptionalLong last;
    private final String tag;

    /**
     * Creates a page.
     *
     * @param body a JSON array of pets, which must not be changed
     * @param last the identifier of its last pet, if more follow
     */
    CataloguePage(byte[] body, OptionalLong last) {
        this.body = body;
        this.last = last;
        this.tag = tag(body);
    }

    byte[] body() {
        return body;
    }

    OptionalLong last() {
        return last;
    }

    /** The strong entity tag (RFC 9110, section 8.8.3): equal on every replica for equal bytes, and different otherwise. */
    String tag() {
        return tag;
    }

    /** Whether the client has this page, according to {@code If-None-Match} (RFC 9110, section 13.1.2). */
    boolean isAmong(List<String> tags) {
        return tags.stream()
                .anyMatch(list -> list.strip().equals("*")
                        || TAG.matcher(list)
                                .results()
                                .anyMatch(match -> match.group().equals(tag)));
    }

    private static String tag(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, TAG_BYTES)) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform supports SHA-256.", e);
        }
    }
}
