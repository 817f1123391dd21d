package dev.animalstore.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.animalstore.fixture.Independent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches the protocols. Each search writes what it has found to {@code target/protocol}. */
@Independent
class ProtocolTest {
    static Set<Scenario> scenarios() {
        return EnumSet.range(Scenario.REVOCATION, Scenario.TRUST);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void protocol_keepsEveryPromise(Scenario scenario) throws IOException {
        boolean isLarge = !scenario.key.isEmpty() || scenario.additions == 2;
        assertKept(scenario, 2, 1, isLarge && scenario != Scenario.REVOCATION ? 1 : 2);
    }

    @ParameterizedTest
    @CsvSource({
        "EXTENSION, 2, 1, 2",
        "SUSPENSION, 2, 1, 2",
        "NEW_SECRET, 2, 1, 2",
        "SQL, 2, 1, 2",
        "SQL_AND_OPERATOR, 2, 1, 2",
        "NO_POSTGRES, 2, 1, 2",
        "FROZEN_REPLICA, 2, 1, 2",
        "FROZEN_REPLICA, 2, 2, 1",
        "FROZEN_WITHOUT_POSTGRES, 2, 1, 2",
        "FROZEN_OPERATOR, 2, 1, 2",
        "RESTORE, 2, 1, 2",
        "ADDITION, 2, 2, 2",
        "ADDITION, 2, 1, 3",
        "TWO_ADDITIONS, 2, 1, 2",
        "TWO_OUTAGES, 2, 2, 3",
        "TWO_OUTAGES, 3, 1, 2",
        "PAUSES, 2, 2, 2",
        "PAUSES, 2, 1, 3",
        "LOST_REPLIES, 2, 1, 3",
        "TRUST, 2, 1, 3",
        "REVOCATION, 3, 1, 1",
        "SQL, 3, 1, 1",
        "ADDITION, 3, 1, 1",
        "REVOCATION, 2, 2, 1",
        "SQL, 2, 2, 1"
    })
    @Tag("long")
    void protocol_moreReplicasRequestsOrFaults_keepsEveryPromise(
            Scenario scenario, int replicas, int requests, int faults) throws IOException {
        assertKept(scenario, replicas, requests, faults);
    }

    @ParameterizedTest
    @EnumSource
    void removedMechanism_breaksNamedPromise(Mechanism mechanism) throws IOException {
        Protocol protocol = mechanism.scenario.protocol(2, mechanism.requests, mechanism.faults, mechanism);

        assertBroken(mechanism.promise, "without-" + mechanism, protocol);
    }

    /** The replica whose machine was suspended, for ten seconds after it has gone on, and nothing else. */
    @Test
    void suspendedMachine_obeysOlderChangesForTenSeconds() throws IOException {
        Protocol protocol = Scenario.SUSPENDED_MACHINE.protocol(2, 1, 1, null);

        assertBroken(Promise.EXCEPT_WHAT_WAS_SUSPENDED, "exception-SUSPENDED_MACHINE", protocol);
        Set<Promise> others = EnumSet.complementOf(EnumSet.of(Promise.EXCEPT_WHAT_WAS_SUSPENDED));
        assertNull(search("others-SUSPENDED_MACHINE", protocol, others).broken());
    }

    private static void assertKept(Scenario scenario, int replicas, int requests, int faults) throws IOException {
        String name = scenario + "-" + replicas + "-replicas-" + requests + "-requests-" + faults + "-faults";
        Protocol protocol = scenario.protocol(replicas, requests, faults, null);

        Search.Result result = search(name, protocol, EnumSet.allOf(Promise.class));
        assertNull(result.broken(), () -> String.join("\n", result.trace()));
    }

    private static void assertBroken(Promise promise, String name, Protocol protocol) throws IOException {
        assertEquals(promise, search(name, protocol, Set.of(promise)).broken());
    }

    private static Search.Result search(String name, Protocol protocol, Set<Promise> promises) throws IOException {
        Search.Result result = Search.run(protocol, promises);
        List<String> lines = new ArrayList<>(result.trace());
        lines.add(result.states() + " states. Broken: " + result.broken());
        Files.createDirectories(Path.of("target", "protocol"));
        Files.write(Path.of("target", "protocol", name + ".txt"), lines);
        return result;
    }
}
