package dev.animalstore.fault;

import dev.animalstore.process.RedisProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;

/** Faults of Redis, and how they end. Each is caused on a real server. */
enum RedisFault {
    KILLED {
        @Override
        void begin(RedisProcess server) throws IOException {
            server.kill();
        }

        @Override
        void end(RedisProcess server) throws IOException {
            server.start();
            server.awaitResponse();
        }
    },
    HUNG {
        @Override
        void begin(RedisProcess server) throws IOException {
            server.hang();
        }

        @Override
        void end(RedisProcess server) throws IOException {
            server.goOn();
        }
    },
    SLOW {
        /** Commands alternately wait for 500 ms and get a response at once. */
        @Override
        void during(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.sendCommand(() -> "CLIENT".getBytes(StandardCharsets.US_ASCII), "PAUSE", "500");
            }
        }
    },
    LOADING {
        @Override
        void begin(RedisProcess server) throws IOException {
            try (Jedis redis = server.connect()) {
                for (int i = 0; i < 2000; i++) {
                    redis.set("filler" + i, "x");
                }
                redis.save();
            }
            server.kill();
            // Loading takes 1,500 microseconds per key, during which the server responds with -LOADING.
            server.start("--key-load-delay", "1500");
            server.awaitResponse();
        }

        @Override
        void end(RedisProcess server) {
            Awaitility.await().ignoreExceptions().until(() -> {
                try (Jedis redis = server.connect()) {
                    return redis.flushDB().equals("OK");
                }
            });
        }
    },
    READ_ONLY {
        @Override
        void begin(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.configSet("replica-serve-stale-data", "yes");
                redis.slaveof("127.0.0.1", 1);
            }
        }

        @Override
        void end(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.slaveofNoOne();
            }
        }
    },
    OUT_OF_MEMORY {
        @Override
        void begin(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.configSet("maxmemory", "1");
            }
        }

        @Override
        void end(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.configSet("maxmemory", "0");
            }
        }
    },
    NO_AUTH {
        @Override
        void begin(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.configSet("requirepass", "changed");
                redis.sendCommand(
                        () -> "CLIENT".getBytes(StandardCharsets.US_ASCII), "KILL", "TYPE", "normal", "SKIPME", "yes");
            }
        }

        @Override
        void end(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.auth("changed");
                redis.configSet("requirepass", "");
            }
        }
    },
    FLUSHED {
        @Override
        void begin(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.flushAll();
            }
        }
    },
    RESTARTED {
        @Override
        void begin(RedisProcess server) throws IOException {
            server.kill();
            server.start();
            server.awaitResponse();
        }
    },
    SCRIPT_CACHE_LOST {
        @Override
        void during(RedisProcess server) {
            try (Jedis redis = server.connect()) {
                redis.scriptFlush();
            }
        }
    };

    void begin(RedisProcess server) throws IOException {}

    /** Runs repeatedly during the fault. */
    void during(RedisProcess server) {}

    void end(RedisProcess server) throws IOException {}
}
