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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches the protocols. Each search writes what it has found to {@code target/protocol}. */
@Independent
class ProtocolTest {
    static Set<Scenario> scenarios() {
        return EnumSet.range(Scenario.REVOCATION, Scenario.LIST_WITHOUT_WRITES);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void protocol_keepsEveryPromise(Scenario scenario) throws IOException {
        assertKept(scenario, 2, scenario.requests(), scenario == Scenario.REVOCATION ? 2 : 1);
    }

    @ParameterizedTest
    @CsvSource({
        "EXTENSION, 2, 1, 2",
        "SUSPENSION, 2, 1, 2",
        "NEW_SECRET, 2, 1, 2",
        "SQL, 2, 1, 2",
        "SQL_AND_OPERATOR, 2, 1, 2",
        "NO_POSTGRES, 2, 1, 2",
        "RESTORE, 2, 1, 2",
        "ADDITION, 2, 2, 2",
        "LOST_REPLIES, 2, 2, 2",
        "REVOCATION, 3, 1, 1",
        "SQL, 3, 1, 1",
        "ADDITION, 3, 2, 1",
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
        Scenario scenario = mechanism.scenario;
        Protocol protocol = scenario.protocol(2, scenario.requests(), 2, mechanism);

        assertBroken(mechanism.promise, "without-" + mechanism, protocol);
    }

    @ParameterizedTest
    @CsvSource({
        "C1, LIST_WITHOUT_WRITES, NEVER_STALE",
        "K3, KEY_CUT_OFF, WITHIN_30_S",
        "K4, KEY_EXTENDED_WITHOUT_WRITES, NO_FALSE_401",
        "K7, KEY_RESTORED, RESTORED",
        "K8, KEY_CHANGED_BY_SQL, SQL_WITHIN_30_S"
    })
    void formerRules_breakPromiseAsSeen(String finding, Scenario scenario, Promise promise) throws IOException {
        assertBroken(promise, "former-rules-" + finding, FormerRules.of(scenario));
    }

    @ParameterizedTest
    @EnumSource(names = {"LIST_CUT_OFF", "LIST_OF_OLDER_DATA", "LIST_OF_FROZEN_REPLICA"})
    void exceptionOfTheContract_leavesListStale(Scenario scenario) throws IOException {
        assertBroken(Promise.NEVER_STALE, "exception-" + scenario, scenario.protocol(2, 2, 2, null));
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
