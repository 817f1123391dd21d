package dev.animalstore.fault;

import dev.animalstore.process.RedisProcess;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** Faults of Redis, and how they end. Each is caused on a real server. */
enum RedisFault {
    KILLED,
    HUNG,
    /** Commands alternately wait for 500 ms and get a response at once. */
    SLOW,
    /** Connections end faster than a request takes. */
    CONNECTIONS_LOST,
    LOADING,
    READ_ONLY,
    OUT_OF_MEMORY,
    NO_AUTH,
    FLUSHED,
    RESTARTED,
    SCRIPT_CACHE_LOST;

    void begin(RedisProcess server) throws IOException {
        switch (this) {
            case KILLED -> server.kill();
            case HUNG -> server.hang();
            case LOADING -> loadSlowly(server);
            case READ_ONLY ->
                order(server, redis -> {
                    redis.configSet("replica-serve-stale-data", "yes");
                    redis.slaveof("127.0.0.1", 1);
                });
            case OUT_OF_MEMORY -> order(server, redis -> redis.configSet("maxmemory", "1"));
            case NO_AUTH ->
                order(server, redis -> {
                    redis.configSet("requirepass", "changed");
                    endConnections(redis);
                });
            case FLUSHED -> order(server, Jedis::flushAll);
            case RESTARTED -> {
                server.kill();
                server.start();
            }
            case SLOW, CONNECTIONS_LOST, SCRIPT_CACHE_LOST -> {}
        }
    }

    /** Runs repeatedly during the fault. */
    void during(RedisProcess server) {
        switch (this) {
            case SLOW -> order(server, redis -> redis.clientPause(500));
            case CONNECTIONS_LOST ->
                order(server, redis -> IntStream.range(0, 1000).forEach(i -> endConnections(redis)));
            case SCRIPT_CACHE_LOST -> order(server, Jedis::scriptFlush);
            default -> {}
        }
    }

    void end(RedisProcess server) throws IOException {
        switch (this) {
            case KILLED -> server.start();
            case HUNG -> server.goOn();
            case LOADING -> Awaitility.await().ignoreExceptions().untilAsserted(() -> order(server, Jedis::flushDB));
            case READ_ONLY -> order(server, Jedis::slaveofNoOne);
            case OUT_OF_MEMORY -> order(server, redis -> redis.configSet("maxmemory", "0"));
            case NO_AUTH ->
                order(server, redis -> {
                    redis.auth("changed");
                    redis.configSet("requirepass", "");
                });
            default -> {}
        }
    }

    private static void order(RedisProcess server, Consumer<Jedis> command) {
        try (Jedis redis = server.connect()) {
            command.accept(redis);
        }
    }

    private static void endConnections(Jedis redis) {
        redis.sendCommand(Protocol.Command.CLIENT, "KILL", "TYPE", "normal", "SKIPME", "yes");
    }

    /** Loading takes 1,500 microseconds per key, during which the server responds with -LOADING. */
    private static void loadSlowly(RedisProcess server) throws IOException {
        order(server, redis -> {
            IntStream.range(0, 2000).forEach(i -> redis.set("filler" + i, "x"));
            redis.save();
        });
        server.kill();
        server.start("--key-load-delay", "1500");
    }
}
