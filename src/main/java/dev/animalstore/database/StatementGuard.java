package dev.animalstore.database;

import io.quarkus.hibernate.orm.PersistenceUnitExtension;
import jakarta.inject.Singleton;
import org.hibernate.resource.jdbc.spi.StatementInspector;

/** Rejects every Hibernate statement before it waits for a connection, while the database is known to fail. */
@PersistenceUnitExtension
@Singleton
public class StatementGuard implements StatementInspector {
    private static final long serialVersionUID = 1L;

    private final transient DatabaseBreaker breaker;

    StatementGuard(DatabaseBreaker breaker) {
        this.breaker = breaker;
    }

    /** @throws DatabaseUnavailableException while the database is known to fail */
    @Override
    public String inspect(String sql) {
        breaker.requireAvailable();
        return sql;
    }
}
