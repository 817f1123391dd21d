package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/**
 * How many requests without a valid key an address may send. A valid key of the same address that was found within the last hour is never
 * affected. Beyond the limit other keys of the address are looked up a few at a time.
 */
@ConfigMapping(prefix = "animalstore.failed-authentication")
interface FailedAuthenticationConfig {
    /** Requests per minute. */
    @WithDefault("300")
    int perMinute();

    /** Requests per day. */
    @WithDefault("10000")
    int perDay();

    /** The maximum number of addresses in memory. Beyond it the least recently seen address starts anew. */
    @WithDefault("100000")
    long maximumAddresses();
}
