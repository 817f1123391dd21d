package dev.animalstore.operator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.ConfigValidationException;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose token a text is, which tokens prevent the start, and for which hosts the operators' API and console are served. */
class OperatorsTest {
    private static final String SECRET = "a-token-that-only-operators-have-0123456789";
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
        assertDoesNotThrow(() -> verify(SECRET, "store.example"));
    }

    private static void verify(String token, String host) {
        operators(token, Map.of()).verifyServed(HostAndPort.parseAuthority(host, -1));
    }

    @Test
    void token_ofOneOfSeveral_isThatOperatorsAndNothingElseIs() {
        Map<String, String> tokens = Map.of("Alice.2", SECRET + "2", "bob-x", "2" + SECRET);
        Operators operators = operators(SECRET, tokens);
        assertEquals(Optional.of("admin"), operators.find(SECRET));
        assertEquals(Optional.of("alice-2"), operators.find(SECRET + "2"));
        assertEquals(Optional.of("bob-x"), operators.find("2" + SECRET));
        for (String other : List.of("", SECRET.substring(1), SECRET + "3", SECRET + "22", "admin", SECRET + "\0")) {
            assertEquals(Optional.empty(), operators.find(other), other);
        }
    }

    @Test
    void signature_ofAnOperator_dependsOnTheTokenAndNobodyElseCanMakeIt() {
        Map<String, String> tokens = Map.of("alice", SECRET + "1", "bob", SECRET + "2");
        String signature = operators(SECRET, tokens).sign("alice", "x");
        assertEquals(signature, operators(null, Map.of("alice", SECRET + "1")).sign("alice", "x"));
        assertNotEquals(signature, operators(SECRET, tokens).sign("bob", "x"));
        assertNotEquals(
                signature, operators(SECRET, Map.of("alice", SECRET + "3")).sign("alice", "x"));
        Operators without = operators(SECRET, Map.of());
        assertNotEquals(signature, without.sign("alice", "x"));
        assertNotEquals(without.sign("alice", "x"), operators(SECRET, Map.of()).sign("alice", "x"));
    }

    @ParameterizedTest
    @CsvSource({
        "alice, SECRET,  animalstore.admin.tokens.alice is the token of another operator too",
        "admin, SECRET2, animalstore.admin.tokens.admin has the name of another operator",
        "a.2,   operators-token-for-this-machine-only, animalstore.admin.tokens.a-2 is one that the documents show",
        "b,     operators-token-for-development-only, animalstore.admin.tokens.b is one that the documents show"
    })
    void token_thatIsNotOfOneOperatorOnly_preventsTheStart(String name, String token, String fault) {
        Operators operators = operators(SECRET, Map.of(name, token.replace("SECRET", SECRET)));
        ConfigValidationException refusal =
                assertThrows(ConfigValidationException.class, () -> operators.verify(new StartupEvent()));
        assertEquals(1, refusal.getProblemCount());
        assertEquals(fault, refusal.getProblem(0).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"Carol, 1", "admin, 1", "Alice.2, 0", "alice_2, 0", "alice-2, 0"})
    void reader_whoIsNoOperator_preventsTheStartIfThereAreTokens(String reader, int faults) {
        Operators operators = operators(null, Map.of("alice-2", SECRET), Set.of(reader));
        if (faults == 0) {
            assertDoesNotThrow(() -> operators.verify(new StartupEvent()));
        } else {
            ConfigValidationException refusal =
                    assertThrows(ConfigValidationException.class, () -> operators.verify(new StartupEvent()));
            assertEquals(
                    "animalstore.admin.readers has " + reader.toLowerCase(Locale.ROOT) + ", who is no operator",
                    refusal.getProblem(0).getMessage());
        }
        assertDoesNotThrow(() -> operators(null, Map.of(), Set.of(reader)).verify(new StartupEvent()));
    }

    private static Operators operators(String token, Map<String, String> tokens) {
        return operators(token, tokens, Set.of());
    }

    private static Operators operators(String token, Map<String, String> tokens, Set<String> readers) {
        return new Operators(new Configured(Optional.ofNullable(token), tokens, false, Optional.of(readers)));
    }

    private record Configured(
            Optional<String> token, Map<String, String> tokens, boolean only, Optional<Set<String>> readers)
            implements Operators.Config {}
}
