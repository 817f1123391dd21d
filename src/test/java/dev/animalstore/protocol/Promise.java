package dev.animalstore.protocol;

/** What the service promises. A step breaks a promise if it contradicts the sentence. */
enum Promise {
    NEXT_REQUEST(
            "While Redis is reachable and loses nothing, a change of a key holds from the very next request on every replica."),
    WITHIN_30_S(
            "While PostgreSQL is there, a change of a key holds within 30 s whatever happens to Redis. Without Redis, a copy of a key may"
                    + " decide if its replica has looked at PostgreSQL within the last 30 s."),
    NO_FALSE_401(
            "A key is never answered 401 for longer than 30 s after PostgreSQL says that it is good, whatever Redis does."),
    SQL_WITHIN_30_S("Changes by SQL past the service hold within 30 s, for idle keys as for busy ones."),
    RESTORED(
            "If PostgreSQL is back behind Redis, what it says now is the truth: what it has lost decides nothing after 30 s."),
    NO_503_AFTER_RESTORE(
            "A newer version in Redis gives way to what PostgreSQL says: no request uses up its attempts."),
    KNOWN_KEYS_ARE_SERVED("While PostgreSQL is away and Redis decides, known keys are served."),
    EXCEPT_WHAT_WAS_SUSPENDED(
            "A replica on a machine that was suspended with its clock obeys older changes within ten seconds after it has gone on."),
    NEVER_STALE(
            "Once a 201 has come, every list asked for afterwards, of whatever replica, shows the pet; at the latest after twice the cache time if the"
                    + " replica that added it alone did not reach Redis, or froze before it announced it, or if Redis went back to older data."),
    TRUSTED_AGAIN("Pages are served from memory again once two probes have succeeded, an interval apart.");

    private final String sentence;

    Promise(String sentence) {
        this.sentence = sentence;
    }

    @Override
    public String toString() {
        return sentence;
    }
}
