package dev.animalstore.operator;

import dev.animalstore.metering.key.ApiKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A search for keys in the order of their identifiers. A key must match every condition that is not {@code null}.
 *
 * @param owner a part of the owner's name, by case and normal form alike
 * @param ownerIs the whole name, exactly, in any normal form
 * @param state a key has one: the first that holds of revoked, expired, suspended, banned, expiring and active
 */
public record KeySearch(String owner, String ownerIs, String plan, State state, boolean newestFirst) {
    /** Before its expiry a key counts as expiring. */
    public static final Duration NOTICE = Duration.ofDays(14);

    private static final int ASCII = 128;

    /**
     * The second pattern, a regular expression, names each letter in every case, since what a database takes for a letter depends on its locale.
     * It takes 4 µs, so an outline in small letters of ASCII comes first.
     */
    private static final String BY_OWNER =
            "cast(sql('case when lower(? collate \"C\") like ? then ? ~ ? else false end', k.owner, :outline, k.owner, :owner) as Boolean) = true";

    private static final String USABLE = "k.revokedAt is null and k.suspendedAt is null and ";

    /** The letters that have a capital or a small one. */
    private static final int[] CASED = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
            .filter(letter -> Character.toLowerCase(letter) != letter || Character.toUpperCase(letter) != letter)
            .toArray();

    /** The state of a key, as the database knows it. Only Redis knows bans: every banned key has usage that says so, after 20 s. */
    public enum State {
        ACTIVE(USABLE + "(k.expiresAt is null or k.expiresAt > instant + 14 day)"),
        BANNED(USABLE + "(k.expiresAt is null or k.expiresAt > instant) and cast(sql('"
                + "? in (select key_id from metering.usage_day where banned > 0 and day >= cast(now() at time zone ''UTC'' - make_interval(secs => ?) as date))"
                + "', k.id, :longestBan) as Boolean) = true"),
        EXPIRING(USABLE + "k.expiresAt > instant and k.expiresAt <= instant + 14 day"),
        EXPIRED("k.revokedAt is null and k.expiresAt <= instant"),
        SUSPENDED(
                "k.revokedAt is null and k.suspendedAt is not null and (k.expiresAt is null or k.expiresAt > instant)"),
        REVOKED("k.revokedAt is not null");

        private final String condition;

        State(String condition) {
            this.condition = condition;
        }

        /** Whether Redis decides which of the keys that the database finds have it. */
        public boolean dependsOnBans() {
            return this == ACTIVE || this == BANNED || this == EXPIRING;
        }
    }

    /**
     * At most {@code count} matching keys after an identifier in the order of the search, 0 for the first ones. Runs in the current
     * transaction. Conditions that most keys match are checked while the primary key is read in order, until the page is full.
     */
    public List<ApiKey> page(long after, int count, Duration longestBan) {
        String range = newestFirst ? "k.id < :after" : "k.id > :after";
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("after", newestFirst && after == 0 ? Long.MAX_VALUE : after);
        String order = " order by k.id" + (newestFirst ? " desc" : "");
        return ApiKey.<ApiKey>find(
                        "from ApiKey k join fetch k.plan where " + range + conditions(parameters, longestBan) + order,
                        parameters)
                .range(0, count - 1)
                .list();
    }

    /** How many keys match, unless that depends on bans. Runs in the current transaction. */
    public long count() {
        Map<String, Object> parameters = new HashMap<>();
        return ApiKey.count("from ApiKey k where k.id > 0" + conditions(parameters, Duration.ZERO), parameters);
    }

    /** The same keys in the opposite order. */
    public KeySearch reversed() {
        return new KeySearch(owner, ownerIs, plan, state, !newestFirst);
    }

    /** Those of a query, each after an {@code and}, and their parameters. */
    private String conditions(Map<String, Object> parameters, Duration longestBan) {
        StringBuilder conditions = new StringBuilder();
        if (owner != null) {
            conditions.append(" and ").append(BY_OWNER);
            parameters.put("outline", "%" + each(owner, KeySearch::outlined) + "%");
            parameters.put("owner", each(owner, KeySearch::inAnyCase));
        }
        if (ownerIs != null) {
            conditions.append(" and k.owner = :ownerIs");
            parameters.put("ownerIs", KeyRequests.normal(ownerIs));
        }
        if (plan != null) {
            conditions.append(" and k.plan.name = :plan");
            parameters.put("plan", plan);
        }
        if (state != null) {
            conditions.append(" and ").append(state.condition);
        }
        if (state == State.BANNED) {
            parameters.put("longestBan", longestBan.toSeconds());
        }
        return conditions.toString();
    }

    private static String each(String part, IntFunction<String> pattern) {
        return KeyRequests.normal(part).codePoints().mapToObj(pattern).collect(Collectors.joining());
    }

    /** Any character in place of one that has another case beyond ASCII. */
    private static String outlined(int character) {
        String alike = alike(character);
        return isOne(alike) || alike.chars().allMatch(letter -> letter < ASCII)
                ? quoted(Character.toLowerCase(character))
                : "_";
    }

    private static String inAnyCase(int character) {
        String alike = alike(character);
        return isOne(alike) ? quoted(character) : "[" + alike + "]";
    }

    private static boolean isOne(String characters) {
        return characters.codePointCount(0, characters.length()) == 1;
    }

    /** A character, and those that are the same letter in another case: {@code \u00df} has a capital, but Java no conversion to it. */
    private static String alike(int character) {
        return IntStream.concat(IntStream.of(character), IntStream.of(CASED))
                .filter(letter -> folded(letter) == folded(character))
                .distinct()
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static String quoted(int character) {
        return (character < ASCII && !Character.isLetterOrDigit(character) ? "\\" : "") + Character.toString(character);
    }

    private static int folded(int character) {
        return Character.toLowerCase(Character.toUpperCase(character));
    }
}
