package dev.animalstore.fault;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.local.LocalPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * A database of keys on the tests' server that no other replicas use.
 *
 * @param url for JDBC
 */
record KeyDatabase(String url) {
    /** Creates an empty database, and deletes any existing one of the same name. */
    static KeyDatabase create(String name) {
        return new KeyDatabase(TestDatabase.recreate(name));
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The number of keys with a version that is recorded as not yet announced to Redis. */
    int unraisedVersions() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(*) from unraised_version")) {
            count.next();
            return count.getInt(1);
        }
    }

    void awaitNoUnraisedVersion() {
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> unraisedVersions() == 0);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, LocalPostgres.USER, "");
    }
}
