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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches the protocols. Each search writes what it has found to {@code target/protocol}. */
@Independent
class ProtocolTest {
    static Stream<Arguments> oneFault() {
        return scenarios().map(one -> Arguments.of(one, 2, one.requests(), one == Scenario.REVOCATION ? 2 : 1));
    }

    static Stream<Arguments> more() {
        // With three contents of the row, only faults are added: there would be too many states.
        return scenarios()
                .flatMap(one -> Stream.of(
                                Arguments.of(one, 2, one.requests(), 2),
                                Arguments.of(one, 3, one.requests(), 1),
                                Arguments.of(one, 2, 2, 1))
                        .limit(one.key.length() == 3 ? 1 : one.key.isEmpty() ? 2 : 3));
    }

    private static Stream<Scenario> scenarios() {
        return EnumSet.range(Scenario.REVOCATION, Scenario.LIST_WITHOUT_WRITES).stream();
    }

    @ParameterizedTest
    @MethodSource("oneFault")
    void protocol_keepsEveryPromise(Scenario scenario, int replicas, int requests, int faults) throws IOException {
        String name = scenario + "-" + replicas + "-replicas-" + requests + "-requests-" + faults + "-faults";

        Search.Result result =
                search(name, scenario.protocol(replicas, requests, faults, null), EnumSet.allOf(Promise.class));
        assertNull(result.broken(), () -> String.join("\n", result.trace()));
    }

    @ParameterizedTest
    @MethodSource("more")
    @Tag("long")
    void protocol_moreFaultsReplicasOrRequests_keepsEveryPromise(
            Scenario scenario, int replicas, int requests, int faults) throws IOException {
        protocol_keepsEveryPromise(scenario, replicas, requests, faults);
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
