package dev.animalstore.process;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis Cluster of a test's own: three masters, each with a replica that takes over about four seconds after its master's end. */
public final class RedisCluster implements AutoCloseable {
    public static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    private final List<Node> nodes = new ArrayList<>();

    public RedisCluster() throws IOException {
        for (int i = 0; i < 2 * MASTERS; i++) {
            nodes.add(Node.start("cluster-node-" + i));
        }
        nodes.forEach(node -> nodes.get(0).meet(node));
        await(() -> nodes.stream().allMatch(node -> node.knows(nodes.size())));
        for (int i = 0; i < MASTERS; i++) {
            nodes.get(i).addSlots(i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS);
            String id = nodes.get(i).ask(Jedis::clusterMyId);
            nodes.get(MASTERS + i).ask(redis -> redis.clusterReplicate(id));
        }
        awaitWhole();
    }

    /** A cluster of one node, which does not know its address, since it has met no other. */
    public static Node lone() throws IOException {
        Node node = Node.start("lone-node");
        node.addSlots(0, SLOTS);
        return node;
    }

    /** The addresses of all nodes, in the format of {@code quarkus.redis.hosts}. */
    public String hosts() {
        return nodes.stream().map(node -> node.process().address()).collect(Collectors.joining(","));
    }

    public Node masterOf(TestKey key) {
        return nodes.stream()
                .filter(node -> node.isMasterOf(RedisState.hash(key)))
                .findFirst()
                .orElseThrow();
    }

    public Node masterOfCatalogue() {
        return nodes.stream()
                .filter(node -> node.isMasterOf(RedisState.LISTS))
                .findFirst()
                .orElseThrow();
    }

    /** Makes the standby of a master take over while both run. */
    public void failOver(Node master) {
        Node standby = standbyOf(master);
        standby.ask(Jedis::clusterFailover);
        await(() -> standby.self().contains("master"));
    }

    public Node standbyOf(Node master) {
        String id = master.ask(Jedis::clusterMyId);
        return nodes.stream()
                .filter(node -> node.self().contains("slave " + id))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until all other nodes agree that one has failed. */
    public void awaitFailed(Node failed) {
        String address = failed.process().address().replaceFirst("^.*//", "");
        await(() -> nodes.stream()
                .filter(node -> !node.equals(failed))
                .allMatch(node -> node.lines()
                        .anyMatch(line -> line.contains(" " + address + "@") && line.matches(".*[ ,]fail[ ,].*"))));
    }

    /** Waits until all nodes are up and agree, every slot has a master, and every master has a replica that follows it. */
    public void awaitWhole() {
        await(() -> nodes.stream().allMatch(Node::isWhole)
                && nodes.stream().filter(Node::isFollowing).count() == MASTERS);
    }

    @Override
    public void close() throws IOException {
        for (Node node : nodes) {
            node.process().close();
        }
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().ignoreExceptions().until(condition::getAsBoolean);
    }

    public record Node(RedisProcess process) {
        private static Node start(String name) throws IOException {
            RedisProcess process;
            do {
                process = new RedisProcess(name);
                process.kill();
                // The nodes talk to each other on this port. Another one cannot be set before Redis 7.
            } while (process.port() + 10_000 > 65_535);
            Node node = new Node(process);
            // The cluster of an earlier run, and the data that its replica copied.
            Files.deleteIfExists(process.folder().resolve("nodes.conf"));
            Files.deleteIfExists(process.folder().resolve("dump.rdb"));
            node.restart();
            return node;
        }

        /** Starts the killed server again; it knows the cluster from its file. */
        public void restart() throws IOException {
            process.start(
                    "--cluster-enabled", "yes",
                    "--cluster-node-timeout", "2000",
                    "--cluster-require-full-coverage", "no",
                    "--repl-diskless-sync-delay", "0");
        }

        /** Lets clients find every node at the host that they are connected to. Skips the test before Redis 7, which cannot. */
        public void hideHosts() {
            String setting = "cluster-preferred-endpoint-type";
            assumeFalse(ask(redis -> redis.configGet(setting)).isEmpty(), setting);
            ask(redis -> redis.configSet(setting, "unknown-endpoint"));
        }

        private void addSlots(int first, int end) {
            ask(redis -> redis.clusterAddSlots(IntStream.range(first, end).toArray()));
        }

        private boolean isMasterOf(String name) {
            try {
                ask(redis -> redis.exists(name));
                return true;
            } catch (JedisException endedOrMoved) {
                return false;
            }
        }

        public boolean exists(TestKey key) {
            return ask(redis -> redis.exists(RedisState.hash(key)));
        }

        private void meet(Node other) {
            ask(redis -> redis.clusterMeet("127.0.0.1", other.process.port()));
        }

        private boolean knows(int count) {
            return lines().filter(line -> line.contains(" connected")).count() == count;
        }

        private boolean isWhole() {
            return ask(Jedis::clusterInfo).contains("cluster_state:ok")
                    && lines().noneMatch(line -> line.contains("fail") || line.contains("handshake"));
        }

        private boolean isFollowing() {
            return ask(redis -> redis.info("replication")).contains("master_link_status:up");
        }

        /** The node's own line in the list of nodes. */
        private String self() {
            return lines().filter(line -> line.contains("myself")).findFirst().orElseThrow();
        }

        /** The lines about the nodes that this one knows. */
        private Stream<String> lines() {
            return ask(Jedis::clusterNodes).lines();
        }

        private <T> T ask(Function<Jedis, T> question) {
            return process.ask(question);
        }
    }
}
