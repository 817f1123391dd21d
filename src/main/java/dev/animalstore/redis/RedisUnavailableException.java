package dev.animalstore.redis;

/** Redis is known to be unavailable, so a command was not sent. It has no stack trace, since an outage causes thousands. */
public final class RedisUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisUnavailableException() {
        super("Redis is unavailable", null, false, false);
    }
}
