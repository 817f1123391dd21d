package dev.animalstore.process;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A Redis Cluster of a test's own: three masters, each with a replica that takes over about two seconds after its master's end. */
public final class RedisCluster implements AutoCloseable {
    public static final int MASTERS = 3;
    private static final int SLOTS = 16_384;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<Node> nodes = new ArrayList<>();

    public RedisCluster(Path folder) throws IOException {
        for (int i = 0; i < 2 * MASTERS; i++) {
            nodes.add(Node.start(Files.createDirectories(folder).resolve("node-" + i)));
        }
        nodes.forEach(node -> nodes.get(0).meet(node));
        await(() -> nodes.stream().allMatch(node -> node.knows(nodes.size())));
        for (int i = 0; i < MASTERS; i++) {
            nodes.get(i).addSlots(i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS);
            nodes.get(MASTERS + i).replicate(nodes.get(i));
        }
        awaitWhole();
    }

    /** The addresses of all nodes, in the format of {@code quarkus.redis.hosts}. */
    public String hosts() {
        return nodes.stream().map(node -> node.process().address()).collect(Collectors.joining(","));
    }

    /** The current master of a key. */
    public Node masterOf(TestKey key) {
        int slot = JedisClusterCRC16.getSlot(RedisState.hash(key));
        return nodes.stream()
                .filter(node -> node.isAlive() && node.holds(slot))
                .findFirst()
                .orElseThrow();
    }

    /** Makes the replica of a master take over while both run. */
    public void failOver(Node master) {
        String id = master.id();
        Node replica = nodes.stream()
                .filter(node -> node.self().contains("slave " + id))
                .findFirst()
                .orElseThrow();
        replica.run("FAILOVER");
        await(() -> replica.self().contains("master"));
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
        Awaitility.await().atMost(TIMEOUT).ignoreExceptions().until(condition::getAsBoolean);
    }

    /** One server of the cluster. */
    public record Node(RedisProcess process, int clusterPort) {
        private static Node start(Path folder) throws IOException {
            RedisProcess process = new RedisProcess(folder);
            Node node = new Node(process, freePort());
            process.kill();
            // The cluster of an earlier run, and the data that its replica copied.
            Files.deleteIfExists(folder.resolve("nodes.conf"));
            Files.deleteIfExists(folder.resolve("dump.rdb"));
            node.restart();
            return node;
        }

        /** Starts the killed server again; it knows the cluster from its file. */
        public void restart() throws IOException {
            process.start(
                    "--cluster-enabled",
                    "yes",
                    "--cluster-port",
                    Integer.toString(clusterPort),
                    "--cluster-node-timeout",
                    "1000",
                    "--repl-diskless-sync-delay",
                    "0");
            process.awaitResponse();
        }

        boolean isAlive() {
            try (Jedis redis = process.connect()) {
                return redis.ping() != null;
            } catch (JedisException e) {
                return false;
            }
        }

        public boolean exists(TestKey key) {
            try (Jedis redis = process.connect()) {
                return redis.exists(RedisState.hash(key));
            }
        }

        private void meet(Node other) {
            String address = other.process.address();
            run(
                    "MEET",
                    "127.0.0.1",
                    address.substring(address.lastIndexOf(':') + 1),
                    Integer.toString(other.clusterPort));
        }

        private void addSlots(int from, int to) {
            run("ADDSLOTSRANGE", Integer.toString(from), Integer.toString(to - 1));
        }

        private void replicate(Node master) {
            run("REPLICATE", master.id());
        }

        private boolean knows(int count) {
            return run("NODES")
                            .lines()
                            .filter(line -> line.contains(" connected"))
                            .count()
                    == count;
        }

        private boolean isWhole() {
            return run("INFO").contains("cluster_state:ok")
                    && run("NODES").lines().noneMatch(line -> line.contains("fail") || line.contains("handshake"));
        }

        private boolean isFollowing() {
            try (Jedis redis = process.connect()) {
                return redis.info("replication").contains("master_link_status:up");
            }
        }

        private boolean holds(int slot) {
            String[] fields = self().split(" ", -1);
            return Arrays.stream(fields, 8, fields.length)
                    .map(range -> range.split("-", -1))
                    .anyMatch(range ->
                            Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
        }

        private String id() {
            return run("MYID");
        }

        /** The node's own line in the list of nodes. */
        private String self() {
            return run("NODES")
                    .lines()
                    .filter(line -> line.contains("myself"))
                    .findFirst()
                    .orElseThrow();
        }

        private String run(String... arguments) {
            try (Jedis redis = process.connect()) {
                Object response = redis.sendCommand(Protocol.Command.CLUSTER, arguments);
                return new String((byte[]) response, StandardCharsets.UTF_8).strip();
            }
        }

        private static int freePort() throws IOException {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            }
        }
    }
}
