package dev.animalstore.key;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The format of keys and how long they are cached. */
@ConfigMapping(prefix = "animalstore.keys")
public interface KeyConfig {
    /** The environment whose keys are accepted and issued. */
    @WithDefault("live")
    KeyEnvironment environment();

    /**
     * How long a key is used without querying PostgreSQL again. While Redis is available, a change applies at once whatever this value is;
     * otherwise this is how long a revoked key may still be admitted. A longer time also means longer service without PostgreSQL. At most
     * an hour, which is how long Redis keeps a version.
     */
    @WithDefault("30s")
    Duration cacheTime();

    /** The maximum number of cached keys. */
    @WithDefault("200000")
    long cacheSize();

    /** How long an unknown secret is refused without querying PostgreSQL again. */
    @WithDefault("60s")
    Duration unknownTime();

    /** The maximum number of cached unknown secrets. */
    @WithDefault("100000")
    long unknownSize();
}
