package dev.animalstore;

import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A key that was written into the database of the tested application, which may run in another process.
 *
 * @param id identifies it in Redis and metrics
 * @param text what a client sends
 */
public record TestKey(long id, String text) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new key of a plan that has its own limits. */
    public static TestKey of(String plan) {
        return insert(plan, null, null);
    }

    /** A new enterprise key whose limits are too high to matter. */
    public static TestKey unlimited() {
        return of(1_000_000, 1_000_000);
    }

    /** A new enterprise key with limits of its own. */
    public static TestKey of(int perMinute, int perDay) {
        return insert("enterprise", perMinute, perDay);
    }

    /** A request that carries this key. */
    public RequestSpecification given() {
        return RestAssured.given().header("Authorization", "Bearer " + text);
    }

    /** Changes columns of the key's row, as {@code "revoked_at = now()"}. */
    public TestKey update(String assignments) {
        execute("update api_key set " + assignments + " where id = " + id);
        return this;
    }

    /** Changes columns of the row of the secret. */
    public TestKey updateSecret(String assignments) {
        execute("update api_key_secret set " + assignments + " where key_id = " + id + " and hash = sha256('" + text
                + "')");
        return this;
    }

    private static TestKey insert(String plan, Integer perMinute, Integer perDay) {
        BearerKey key = BearerKey.generate(KeyEnvironment.TEST, RANDOM);
        try (Connection connection = TestServers.connect();
                PreparedStatement statement = connection.prepareStatement("""
                        with issued as (
                            insert into api_key (owner, plan, per_minute, per_day) values ('test', ?, ?, ?) returning id)
                        insert into api_key_secret (key_id, hash, hint) select id, ?, ? from issued returning key_id""")) {
            statement.setString(1, plan);
            statement.setObject(2, perMinute);
            statement.setObject(3, perDay);
            statement.setBytes(4, key.hash().bytes());
            statement.setString(5, key.hint());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new TestKey(row.getLong(1), key.reveal());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(String sql) {
        try (Connection connection = TestServers.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
