package dev.animalstore.operator.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Independent;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The words for what has changed of a key. */
@Independent
class ChangesTest {
    private static final Instant END = Instant.parse("2026-12-05T10:30:07Z");
    private static final Map<String, Object> ENDLESS = Collections.singletonMap("expiresAt", null);

    @Test
    void difference_ofAMember_saysWhatWasAndWhatIs() {
        assertEquals("plan free → pro", Changes.difference("plan", "free", "pro"));
        assertEquals("per day 1,070", Changes.difference("perDay", null, 1070));
        assertEquals("per minute 60 → none", Changes.difference("perMinute", 60, null));
        assertEquals("expiry 2026-12-05 10:30", Changes.difference("expiresAt", null, END));
        assertEquals("suspended", Changes.difference("suspendedAt", null, END));
        assertEquals("resumed", Changes.difference("suspendedAt", END, null));
        assertEquals("revoked", Changes.difference("revokedAt", null, END));
    }

    @Test
    void difference_ofASecret_saysWhetherItIsNewAndUntilWhenItWorks() {
        assertEquals("new secret …jUcp", Changes.difference("secret jUcp", null, ENDLESS));
        assertEquals(
                "secret …jUcp until 2026-12-05 10:30",
                Changes.difference("secret jUcp", ENDLESS, Map.of("expiresAt", END)));
        assertEquals("secret …jUcp deleted", Changes.difference("secret jUcp", ENDLESS, null));
    }
}
