package dev.animalstore.process;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.local.LocalServer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The properties of replicas, and the ports on which they and other processes listen. */
public final class Settings {
    private static final String REDIS_TIMEOUT = "animalstore.redis.timeout";
    private static final String CONNECTION_TIMEOUT = "quarkus.datasource.jdbc.acquisition-timeout";
    private static final String STATEMENT_TIMEOUT = "quarkus.datasource.jdbc.additional-jdbc-properties.socketTimeout";

    private Settings() {}

    /** These properties and, of those that are not among them, the tests' servers, long timeouts and high limits. */
    public static Map<String, String> with(Map<String, String> properties, int port) {
        Map<String, String> all = new HashMap<>();
        all.put("quarkus.http.host", "127.0.0.1");
        all.put("quarkus.http.port", Integer.toString(port));
        all.put("quarkus.datasource.jdbc.url", TestServers.jdbcUrl());
        all.put("quarkus.datasource.username", LocalPostgres.USER);
        all.put("quarkus.redis.hosts", TestServers.redis());
        all.put("animalstore.keys.environment", "test");
        all.put("animalstore.admin.token", Operator.TOKEN);
        // Clients need not be told that a replica ends, except in tests of the shutdown.
        all.put("quarkus.shutdown.delay", "0s");
        // Tests send many requests without a valid key from one address.
        all.put("animalstore.failed-authentication.per-minute", "10000");
        // Tests need not wait before refusals count as strikes; QuotaScriptTest shows that they do not count at first.
        all.put("animalstore.ban.grace", "0s");
        // A busy machine must not be mistaken for a failing server.
        all.put(REDIS_TIMEOUT, "2s");
        all.put(CONNECTION_TIMEOUT, "10s");
        all.put(STATEMENT_TIMEOUT, "10");
        all.putAll(properties);
        return all;
    }

    /** These properties and, of those that are not among them, the timeouts of production. */
    static Map<String, String> withTimeouts(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>();
        all.put(REDIS_TIMEOUT, "40ms");
        all.put(CONNECTION_TIMEOUT, "500ms");
        all.put(STATEMENT_TIMEOUT, "1");
        all.putAll(properties);
        return all;
    }

    public static int freePort() throws IOException {
        return LocalServer.freePort();
    }
}
