package dev.animalstore.key;

import dev.animalstore.database.Database;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Keys, the plans that they are bound to and the secrets by which they are known, in the database. */
@Singleton
final class KeyStore {
    private static final String PLANS = "select name, per_minute is not null from plan order by per_minute, name";

    private static final String DETAILS = """
            select k.id, k.owner, k.plan, coalesce(p.per_minute, k.per_minute), coalesce(p.per_day, k.per_day),
                   k.version, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
            from api_key k join plan p on p.name = k.plan
            """;
    private static final String FIND = DETAILS + "where k.id = ?";
    private static final String LIST = DETAILS + "where k.id > ? order by k.id limit ?";
    private static final String LIST_OF_OWNER = DETAILS + "where k.owner = ? and k.id > ? order by k.id limit ?";

    private static final String SECRETS = """
            select key_id, hint, created_at, expires_at from api_key_secret
            where key_id = any (?) order by id desc""";

    private static final String KNOWN = """
            select k.id, k.plan, coalesce(p.per_minute, k.per_minute), coalesce(p.per_day, k.per_day),
                   k.version, k.expires_at, k.revoked_at, s.rotated_at, s.expires_at
            from api_key_secret s join api_key k on k.id = s.key_id join plan p on p.name = k.plan
            where s.hash = ?""";

    private static final String INSERT = """
            insert into api_key (owner, plan, per_minute, per_day, created_at, expires_at)
            values (?, ?, ?, ?, ?, ?) returning id""";

    private static final String LOCK = "update api_key set version = version + 1 where id = ?";

    private static final String RAISE = "update api_key set version = ? where id = ? and version < ?";

    private static final String UPDATE =
            "update api_key set owner = ?, plan = ?, per_minute = ?, per_day = ?, expires_at = ? where id = ?";

    private static final String REVOKE = "update api_key set revoked_at = coalesce(revoked_at, ?) where id = ?";

    private static final String INSERT_SECRET =
            "insert into api_key_secret (key_id, hash, hint, created_at) values (?, ?, ?, ?)";

    private static final String DELETE_SECRETS = "delete from api_key_secret where key_id = ?";

    private static final String DELETE_SECRETS_THAT_ENDED = DELETE_SECRETS + " and expires_at <= ?";

    /** A grace period that has begun is never made longer. */
    private static final String RETIRE_SECRETS = """
            update api_key_secret set rotated_at = coalesce(rotated_at, ?), expires_at = least(expires_at, ?)
            where key_id = ?""";

    private final Database database;

    KeyStore(Database database) {
        this.database = database;
    }

    /** All plans, those without limits last. */
    List<Plan> plans() {
        return database.query(row -> new Plan(row.getString(1), row.getBoolean(2)), PLANS);
    }

    Optional<KeyDetails> find(long id) {
        return withSecrets(database.query(KeyStore::details, FIND, id)).stream().findFirst();
    }

    /** At most {@code count} keys after an identifier, of one owner or of any, in ascending order of their identifiers. */
    List<KeyDetails> list(Optional<String> owner, long after, int count) {
        return withSecrets(
                owner.isPresent()
                        ? database.query(KeyStore::details, LIST_OF_OWNER, owner.get(), after, count)
                        : database.query(KeyStore::details, LIST, after, count));
    }

    /** What admission needs to know of the key with that secret. */
    Optional<KnownKey> findKnown(KeyHash secret) {
        return database.find(KeyStore::known, KNOWN, (Object) secret.bytes());
    }

    /** Adds a key that nobody knows a secret of, and tells its identifier. */
    long add(String owner, Plan plan, Optional<KeyLimits> own, Instant createdAt, Instant expiresAt) {
        return database.query(
                        row -> row.getLong(1),
                        INSERT,
                        owner,
                        plan.name(),
                        own.map(KeyLimits::perMinute).orElse(null),
                        own.map(KeyLimits::perDay).orElse(null),
                        createdAt,
                        expiresAt)
                .get(0);
    }

    /** Raises the version of a key and keeps everybody else from changing it until the transaction ends. */
    Optional<KeyDetails> lock(long id) {
        return database.update(LOCK, id) == 0 ? Optional.empty() : find(id);
    }

    /** Raises the version of a key to a given one, and says whether it was less. */
    boolean raise(long id, long version) {
        return database.update(RAISE, version, id, version) > 0;
    }

    void update(long id, String owner, Plan plan, Optional<KeyLimits> own, Instant expiresAt) {
        database.update(
                UPDATE,
                owner,
                plan.name(),
                own.map(KeyLimits::perMinute).orElse(null),
                own.map(KeyLimits::perDay).orElse(null),
                expiresAt,
                id);
    }

    void revoke(long id, Instant at) {
        database.update(REVOKE, at, id);
    }

    void addSecret(long id, BearerKey secret, Instant createdAt) {
        database.update(INSERT_SECRET, id, secret.hash().bytes(), secret.hint(), createdAt);
    }

    void deleteSecrets(long id) {
        database.update(DELETE_SECRETS, id);
    }

    /** Lets the secrets of a key work until the end of a grace period and removes those that have ended. */
    void retireSecrets(long id, Instant now, Instant graceEnd) {
        database.update(DELETE_SECRETS_THAT_ENDED, id, now);
        database.update(RETIRE_SECRETS, now, graceEnd, id);
    }

    private List<KeyDetails> withSecrets(List<KeyDetails> keys) {
        Object[] ids = keys.stream().map(KeyDetails::id).toArray(Long[]::new);
        Map<Long, List<OwnedSecret>> secrets = database.query(KeyStore::secret, SECRETS, (Object) ids).stream()
                .collect(Collectors.groupingBy(OwnedSecret::key));
        return keys.stream()
                .map(key -> key.withSecrets(secrets.getOrDefault(key.id(), List.of()).stream()
                        .map(OwnedSecret::details)
                        .toList()))
                .toList();
    }

    private static KeyDetails details(ResultSet row) throws SQLException {
        return new KeyDetails(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                new KeyLimits(row.getInt(4), row.getInt(5)),
                row.getLong(6),
                Database.instant(row, 7),
                Database.instant(row, 8),
                Database.instant(row, 9),
                Database.instant(row, 10),
                List.of());
    }

    private static OwnedSecret secret(ResultSet row) throws SQLException {
        return new OwnedSecret(
                row.getLong(1),
                new KeyDetails.SecretDetails(row.getString(2), Database.instant(row, 3), Database.instant(row, 4)));
    }

    private static KnownKey known(ResultSet row) throws SQLException {
        return new KnownKey(
                row.getLong(1),
                row.getString(2),
                row.getInt(3),
                row.getInt(4),
                row.getLong(5),
                Database.instant(row, 6),
                Database.instant(row, 7),
                Database.instant(row, 8),
                Database.instant(row, 9));
    }

    private record OwnedSecret(long key, KeyDetails.SecretDetails details) {}
}
