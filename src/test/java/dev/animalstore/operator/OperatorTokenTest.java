package dev.animalstore.operator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.ws.rs.NotFoundException;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For which hosts the operators' API and console are served. */
class OperatorTokenTest {
    private static final String PUBLISHED = "operators-token-for-development-only";

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"})
    void publishedToken_onThisMachine_isServed(String host) {
        assertDoesNotThrow(() -> verify(PUBLISHED, host));
    }

    /** A web page could otherwise use it through a name of its own that leads to this machine. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rebound.example", "localhost.example:8080",
                "127.0.0.1.example", "localhost@rebound.example",
                "192.0.2.1"
            })
    void publishedToken_forAnotherHost_isNot(String host) {
        ApiException refusal = assertThrows(ApiException.class, () -> verify(PUBLISHED, host));
        assertEquals(ErrorCode.NOT_FOUND, refusal.code());
    }

    @Test
    void secretToken_forAnyHost_isServed() {
        assertDoesNotThrow(() -> verify("a-token-that-only-operators-have-0123456789", "store.example"));
    }

    @Test
    void noToken_isNotServed() {
        assertThrows(NotFoundException.class, () -> verify(null, "localhost"));
    }

    private static void verify(String token, String host) {
        new OperatorToken(() -> Optional.ofNullable(token)).verifyServed(URI.create("http://" + host + "/console"));
    }
}
