package dev.animalstore.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The servers of Redis: one, or the masters of a cluster, each with a connection and a circuit breaker of its own. So a server that hangs
 * costs its own keys only, and a standby costs nothing. The client's own support of clusters waits for all servers, and asks the first one
 * every second which server has which keys, without a time limit.
 *
 * <p>Which master has a key is learned from any server that responds, while a master fails and after a redirection.
 */
final class RedisServers {
    private static final int SLOTS = 16_384;

    /** The scheme and the credentials of an address. */
    private static final Pattern BEFORE_HOST = Pattern.compile("^\\w+://(?:[^@/]*@)?");

    private final RedisOptions options;
    private final RedisConfig config;
    private final Vertx vertx;
    private final Context loop;
    private final CommandTimeouts timeouts;
    private final String prefix;
    private final Runnable returned;
    private final String scheme;

    /** All servers with a connection, by address. For use on the event loop only. */
    private final Map<String, RedisNode> nodes = new HashMap<>();

    /** The server of each slot of a cluster; one for all slots without a cluster, and before those of the cluster are known. */
    private volatile RedisNode[] bySlot;

    /** The servers, each with a hash that it has. */
    private volatile Map<RedisNode, String> probes;

    private boolean refreshing;

    /**
     * @param prefix the beginning of the names of keys
     * @param returned as for {@link RedisNode}
     */
    RedisServers(RedisOptions options, RedisConfig config, Vertx vertx, String prefix, Runnable returned) {
        this.options = options;
        this.config = config;
        this.vertx = vertx;
        this.prefix = prefix;
        this.returned = returned;
        loop = vertx.getOrCreateContext();
        timeouts = new CommandTimeouts(vertx, loop, config.timeout());
        scheme = BEFORE_HOST
                .matcher(options.getEndpoint())
                .results()
                .findFirst()
                .orElseThrow()
                .group();
        RedisNode first = isCluster()
                ? node(options.getEndpoint())
                : new RedisNode("Redis", options, config, vertx, loop, timeouts, returned);
        bySlot = new RedisNode[] {first};
        probes = Map.of(first, probe(0));
    }

    /** Whether the servers are a cluster. */
    boolean isCluster() {
        return options.getType() == RedisClientType.CLUSTER;
    }

    /** The server of a key of Redis. */
    RedisNode of(String name) {
        RedisNode[] known = bySlot;
        return known.length == 1 ? known[0] : known[slot(name)];
    }

    /** All servers that have keys. */
    Collection<RedisNode> all() {
        return probes.keySet();
    }

    /** Checks every server, and while one is in doubt, whether another one has taken its place. */
    void probe() {
        probes.forEach(RedisNode::probe);
        if (all().stream().anyMatch(RedisNode::isInDoubt)) {
            refresh();
        }
    }

    /**
     * Sends a command to the server that a cluster's error names, because it has the key now.
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

    /** Learns which server has which slots. */
    void refresh() {
        loop.runOnContext(ignored -> {
            if (isCluster() && !refreshing) {
                refreshing = true;
                ask(Stream.concat(
                                all().stream().filter(node -> !node.isInDoubt()),
                                options.getEndpoints().stream().map(this::node))
                        .distinct()
                        .toList()
                        .iterator());
            }
        });
    }

    private void ask(Iterator<RedisNode> servers) {
        if (!servers.hasNext()) {
            refreshing = false;
            return;
        }
        servers.next()
                .send(() -> Request.cmd(Command.CLUSTER).arg("SLOTS"))
                .onSuccess(ranges -> {
                    refreshing = false;
                    assign(ranges);
                })
                .onFailure(ignored -> ask(servers));
    }

    private void assign(Response ranges) {
        RedisNode[] masters = new RedisNode[SLOTS];
        // A slot without a master is assigned to any server, which says so.
        Arrays.fill(masters, bySlot[0]);
        for (Response range : ranges) {
            Response master = range.get(2);
            RedisNode node =
                    node(address(master.get(0).toString(), master.get(1).toString()));
            Arrays.fill(masters, range.get(0).toInteger(), range.get(1).toInteger() + 1, node);
        }
        Map<RedisNode, String> found = new HashMap<>();
        long count = Stream.of(masters).distinct().count();
        for (int i = 0; found.size() < count && i < SLOTS; i++) {
            found.putIfAbsent(masters[slot(probe(i))], probe(i));
        }
        bySlot = masters;
        probes = found;
        nodes.values().stream().filter(node -> !found.containsKey(node)).forEach(RedisNode::close);
        nodes.values().retainAll(found.keySet());
    }

    private RedisNode node(String address) {
        return nodes.computeIfAbsent(address, unknown -> {
            RedisOptions own = new RedisOptions(options)
                    .setType(RedisClientType.STANDALONE)
                    .setEndpoints(new ArrayList<>(List.of(address)));
            String name = "Redis at " + BEFORE_HOST.matcher(address).replaceFirst("");
            return new RedisNode(name, own, config, vertx, loop, timeouts, returned);
        });
    }

    private String address(String host, String port) {
        return scheme + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private String probe(int number) {
        return prefix + "probe:{" + number + "}";
    }

    /** The slot of a key in a cluster: CRC-16 (XMODEM) of the part in braces, if there is one, modulo 16,384. */
    static int slot(String name) {
        int open = name.indexOf('{');
        int close = name.indexOf('}', open + 1);
        String hashed = open >= 0 && close > open + 1 ? name.substring(open + 1, close) : name;
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
