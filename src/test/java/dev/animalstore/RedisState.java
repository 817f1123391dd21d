package dev.animalstore;

import java.net.URI;
import java.util.Map;
import redis.clients.jedis.Jedis;

/** What Redis holds of a key, as tests look at it and change it. */
public final class RedisState {
    private RedisState() {}

    /**
     * Lets time pass for a key: its windows end that much earlier. Since {@code quota.lua} only ever compares them with the time, this is
     * the same as a clock that was moved on.
     */
    public static void age(TestKey key, long millis) {
        try (Jedis redis = connect()) {
            redis.hincrBy(hash(key), "me", -millis);
        }
    }

    /** The fields of a key's hash. */
    public static Map<String, String> read(TestKey key) {
        try (Jedis redis = connect()) {
            return redis.hgetAll(hash(key));
        }
    }

    private static Jedis connect() {
        return new Jedis(URI.create(Servers.redis()));
    }

    static String hash(TestKey key) {
        return "animalstore:{" + key.id() + "}";
    }
}
