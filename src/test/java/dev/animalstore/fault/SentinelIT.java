package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.AddingAndListing;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Two replicas of the package on a Redis with a standby that a Sentinel promotes, all with users who may do only what they do. */
@Tag("long")
class SentinelIT {
    private static final String NAME = "animalstore";

    private static final String PASSWORD = "a-password";

    /** A limit per day, since a minute may end during a test. */
    private static final int PER_DAY = 100;

    private static final int CLIENTS = 8;
    private static final int OPERATIONS = 10_000;

    private RedisProcess master;
    private RedisProcess follower;
    private RedisProcess sentinel;
    private SharedCount shared;

    @BeforeEach
    void start() throws IOException {
        master = new RedisProcess("sentinel-master");
        follower = new RedisProcess("sentinel-follower");
        sentinel = new RedisProcess("sentinel");
        String address = master.address().replace("redis://", "").replace(':', ' ');
        for (RedisProcess server : List.of(master, follower)) {
            server.kill();
            startServer(server);
        }
        follower.ask(
                redis -> redis.slaveof("127.0.0.1", URI.create(master.address()).getPort()));
        awaitLink(follower);
        sentinel.kill();
        sentinel.configure(RedisProcess.shipped("sentinel.conf", PASSWORD).replace("127.0.0.1 6379 2", address + " 1"));
        sentinel.start("--sentinel");
        sentinel.ask(redis ->
                redis.sentinelSet(NAME, Map.of("down-after-milliseconds", "1000", "failover-timeout", "5000")));
        // A Sentinel queries a master for its replicas at its start, and then every ten seconds.
        Awaitility.await()
                .until(() -> sentinel.ask(redis -> redis.sentinelReplicas(NAME)).stream()
                        .anyMatch(replica -> "ok".equals(replica.get("master-link-status"))));
        Map<String, String> properties = Map.ofEntries(
                Map.entry("quarkus.redis.client-type", "sentinel"),
                Map.entry("quarkus.redis.hosts", sentinel.address().replace("//", "//animalstore:" + PASSWORD + "@")),
                Map.entry("quarkus.redis.master-name", NAME),
                Map.entry("animalstore.replicas", "2"));
        shared = new SharedCount(List.of(Replica.start(properties), Replica.start(properties)));
    }

    @AfterEach
    void stop() throws IOException {
        shared.replicas().forEach(Replica::close);
        follower.close();
        sentinel.close();
        master.close();
    }

    private static void startServer(RedisProcess server) throws IOException {
        List<String> users = List.of("users.acl", "users-of-sentinel.acl");
        server.startWithUsers(
                users,
                PASSWORD,
                "--masteruser",
                "replica",
                "--masterauth",
                PASSWORD,
                "--repl-diskless-sync-delay",
                "0");
    }

    /** Waits until a server has the data of its master. */
    private static void awaitLink(RedisProcess server) {
        Awaitility.await()
                // It was seen to reset a connection meanwhile.
                .ignoreExceptions()
                .until(() -> server.ask(redis -> redis.info("replication")).contains("master_link_status:up"));
    }

    /** Writes that were not yet replicated are lost, so an old version of the catalogue may return. */
    @Test
    void master_thatDies_leavesNoListStaleAndIsReplacedWithinSecondsAndNothingIsDenied() throws IOException {
        TestKey key = TestKey.of(PER_DAY, PER_DAY);
        TestKey observed = TestKey.unlimited();
        shared.await(observed);
        TestDatabase.changePets("truncate pet cascade");
        AddingAndListing lists = new AddingAndListing(shared.replicas(), Fuzz.firstNumber());
        CompletableFuture<Void> listing = lists.start(CLIENTS, OPERATIONS);
        Awaitility.await().until(() -> lists.operations() > OPERATIONS / 4);
        Load load = shared.start(List.of(key));
        load.awaitMore(PER_DAY / 2);
        master.kill();
        shared.await(observed);
        load.awaitMore(3 * PER_DAY);
        Attempts attempts = load.stop();
        listing.join();

        SharedCount.assertMetered(attempts, key, PER_DAY);
        assertEquals(List.of(), lists.faults(), lists::toString);
        startServer(master);
        awaitLink(master);
        for (RedisProcess server : List.of(master, follower, sentinel)) {
            assertEquals(List.of(), server.ask(Jedis::aclLog));
        }
    }
}
