package dev.animalstore.local;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Fills the database that was started for development, once, with some hundred pets, some orders, and one key per plan with 30 days of
 * usage.
 */
@IfBuildProfile("dev")
@Singleton
final class DemoData {
    /** Set if the service started the database itself; other databases are not filled. */
    static final String WANTED = "dev.animalstore.demo-data";

    private static final String PETS = """
            insert into pet (name, category_id, status)
            select (array['Bella', 'Luna', 'Charlie', 'Milo', 'Rocky', 'Coco', 'Daisy', 'Oscar', 'Molly', 'Simba', 'Nala', 'Toby', 'Ruby',
                          'Felix', 'Bruno', 'Hazel', 'Pepper', 'Biscuit', 'Olive', 'Maple'])[1 + (n * 7) % 20]
                   || ' the ' || (array['Beagle', 'Tabby', 'Canary', 'Goldfish', 'Hamster', 'Rabbit', 'Gecko', 'Parrot'])[1 + n % 8],
                   1 + n % 8,
                   (array['available', 'available', 'pending', 'sold'])[1 + (n * 5) % 4]
            from generate_series(1, 300) n""";

    private static final String ORDERS = """
            insert into store_order (pet_id, quantity, ship_date, status, complete)
            select n * 4, 1 + n % 3,
                   case when n % 3 > 0 then timestamptz '2026-01-01 09:00:00Z' + n * interval '5 hours' end,
                   (array['placed', 'approved', 'delivered'])[1 + n % 3],
                   n % 3 = 2
            from generate_series(1, 40) n""";

    private static final String KEY = """
            with issued as (
                insert into api_key (owner, plan, per_minute, per_day)
                select 'demo', name, case when per_minute is null then 5000 end, case when per_day is null then 1000000 end
                from plan where name = ? returning id)
            insert into api_key_secret (key_id, hash, hint) select id, ?, ? from issued""";

    /** The 30 days before today for each key: more on weekdays, growing, and some days over the quota. */
    static final String USAGE = """
            insert into usage_day (key_id, day, admitted, refused, banned)
            select id, day, least(per_day, wanted), least(greatest(wanted - per_day, 0), per_day / 5),
                   greatest(wanted - per_day - per_day / 5, 0)
            from (select k.id, coalesce(k.per_day, p.per_day) as per_day, day,
                         cast(coalesce(k.per_day, p.per_day) * (0.3 + n * 0.02 + (n * 37 % 11) * 0.04)
                              * case when extract(isodow from day) < 6 then 1 else 0.4 end as bigint) as wanted
                  from api_key k join plan p on p.name = k.plan cross join generate_series(1, 30) n
                  cross join lateral (select cast(now() at time zone 'UTC' as date) - 31 + n as day) d) u""";

    private final DataSource database;
    private final boolean wanted;

    DemoData(DataSource database, @ConfigProperty(name = WANTED, defaultValue = "false") boolean wanted) {
        this.database = database;
        this.wanted = wanted;
    }

    void fill(@Observes StartupEvent start) throws SQLException {
        if (!wanted) {
            return;
        }
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            try (var anyKey = statement.executeQuery("select 1 from api_key limit 1")) {
                if (anyKey.next()) {
                    return;
                }
            }
            statement.execute(PETS);
            statement.execute(ORDERS);
            issueKeys(connection);
            statement.execute(USAGE);
        }
    }

    private static void issueKeys(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(KEY)) {
            for (DemoKey demo : DemoKey.values()) {
                statement.setString(1, demo.plan());
                statement.setBytes(2, demo.key().hash().bytes());
                statement.setString(3, demo.key().hint());
                statement.executeUpdate();
            }
        }
    }
}
