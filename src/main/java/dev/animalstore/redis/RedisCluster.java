package dev.animalstore.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The masters of a Redis Cluster, each with a connection and a circuit breaker of its own. So a server that hangs costs its own keys only,
 * and a standby costs nothing. The client's own support of clusters waits for all servers, and asks the first one every second which server
 * has which keys, without a time limit.
 *
 * <p>Which master has a key is learned from any server that responds, while a master fails and after a redirection.
 */
final class RedisCluster {
    private static final int SLOTS = 16_384;

    /** The scheme and the credentials of an address. */
    private static final Pattern BEFORE_HOST = Pattern.compile("^\\w+://(?:[^@/]*@)?");

    private final RedisOptions options;
    private final Context loop;
    private final String probeHash;
    private final BiFunction<String, RedisOptions, RedisNode> open;

    /** The configured addresses. Each attempt to learn the masters takes the next one. */
    private final List<String> endpoints;

    /** All servers with a connection, by address. For use on the event loop only. */
    private final Map<String, RedisNode> nodes = new HashMap<>();

    /** The master of each slot; before they are known, a configured server. */
    private volatile RedisNode[] bySlot;

    /** The masters, each with a hash that it has. */
    private volatile Map<RedisNode, String> masters;

    private boolean refreshing;

    /**
     * @param loop the event loop that sends and receives
     * @param probeHash the beginning of the names of hashes to which probes may write
     * @param open makes a server of a name for the log and of options
     */
    RedisCluster(
            RedisOptions options, Context loop, String probeHash, BiFunction<String, RedisOptions, RedisNode> open) {
        this.options = options;
        this.loop = loop;
        this.probeHash = probeHash;
        this.open = open;
        endpoints = new ArrayList<>(options.getEndpoints());
        RedisNode first = node(endpoints.get(0));
        bySlot = new RedisNode[SLOTS];
        Arrays.fill(bySlot, first);
        masters = Map.of(first, probeHash(0));
        refresh();
    }

    RedisNode of(String key) {
        return bySlot[slot(key)];
    }

    Set<RedisNode> masters() {
        return masters.keySet();
    }

    /** Checks every master, and while one is in doubt, whether another server has taken its place. */
    void probe() {
        masters.forEach(RedisNode::probe);
        if (masters().stream().anyMatch(RedisNode::isInDoubt)) {
            refresh();
        }
    }

    /**
     * Sends a command to the server that an error names, because it has the key now.
     *
     * @param failure any failure; if it names no server, the returned future fails with it
     */
    Future<Response> redirect(Throwable failure, Supplier<Request> command) {
        String[] words = String.valueOf(failure.getMessage()).split(" ", -1);
        if (words.length != 3 || !(words[0].equals("MOVED") || words[0].equals("ASK"))) {
            return Future.failedFuture(failure);
        }
        int port = words[2].lastIndexOf(':');
        RedisNode target = node(address(words[2].substring(0, port), words[2].substring(port + 1)));
        if (words[0].equals("ASK")) {
            var unused = target.send(() -> Request.cmd(Command.ASKING));
        } else {
            refresh();
        }
        return target.send(command);
    }

    /** Learns which master has which slots, from one that responds or, if there is none, from a configured server. */
    private void refresh() {
        loop.runOnContext(ignored -> {
            if (refreshing) {
                return;
            }
            refreshing = true;
            Collections.rotate(endpoints, 1);
            RedisNode source = masters().stream()
                    .filter(node -> !node.isInDoubt())
                    .findAny()
                    .orElseGet(() -> node(endpoints.get(0)));
            source.send(() -> Request.cmd(Command.CLUSTER).arg("SLOTS"))
                    .onComplete(done -> refreshing = false)
                    .onSuccess(this::assign);
        });
    }

    private void assign(Response ranges) {
        RedisNode[] assigned = new RedisNode[SLOTS];
        // A slot without a master is assigned to any server, which says so.
        Arrays.fill(assigned, bySlot[0]);
        for (Response range : ranges) {
            Response master = range.get(2);
            RedisNode node =
                    node(address(master.get(0).toString(), master.get(1).toString()));
            Arrays.fill(assigned, range.get(0).toInteger(), range.get(1).toInteger() + 1, node);
        }
        Map<RedisNode, String> found = new HashMap<>();
        long count = Stream.of(assigned).distinct().count();
        for (int i = 0; found.size() < count && i < SLOTS; i++) {
            found.putIfAbsent(assigned[slot(probeHash(i))], probeHash(i));
        }
        bySlot = assigned;
        masters = found;
        nodes.values().stream().filter(node -> !found.containsKey(node)).forEach(RedisNode::close);
        nodes.values().retainAll(found.keySet());
    }

    private RedisNode node(String address) {
        return nodes.computeIfAbsent(address, unknown -> {
            RedisOptions own = new RedisOptions(options)
                    .setType(RedisClientType.STANDALONE)
                    .setEndpoints(new ArrayList<>(List.of(address)));
            return open.apply("Redis at " + BEFORE_HOST.matcher(address).replaceFirst(""), own);
        });
    }

    /** The address of a server, with the scheme and the credentials of the configured ones. */
    private String address(String host, String port) {
        Matcher configured = BEFORE_HOST.matcher(options.getEndpoint());
        String scheme = configured.find() ? configured.group() : "";
        return scheme + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private String probeHash(int number) {
        return probeHash + "{" + number + "}";
    }

    /** The slot of a key: CRC-16 (XMODEM) of the part in braces, if there is one, modulo 16,384. */
    static int slot(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        String hashed = open >= 0 && close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte octet : hashed.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (octet & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
            }
        }
        return crc & (SLOTS - 1);
    }
}
