package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/**
 * How often an address may send a request without a valid key. A valid key of the same address that was found within the last hour is never
 * affected; past the budget the other keys of the address are looked up a few at a time.
 */
@ConfigMapping(prefix = "animalstore.failed-authentication")
interface FailedAuthenticationConfig {
    /** Requests a minute. */
    @WithDefault("300")
    int perMinute();

    /** Requests a day. */
    @WithDefault("10000")
    int perDay();

    /** How many addresses are remembered at the most; beyond that the one seen longest ago starts anew. */
    @WithDefault("100000")
    long maximumAddresses();
}
