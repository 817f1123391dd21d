package dev.animalstore;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Registers for reflection the cache classes that Caffeine generates for our builders and loads by name: a class of caches and one of their
 * entries for each combination of features. Quarkus registers the usual ones, but not all of these.
 */
@RegisterForReflection(
        classNames = {
            "com.github.benmanes.caffeine.cache.SSMS", // maximum size
            "com.github.benmanes.caffeine.cache.PSMS",
            "com.github.benmanes.caffeine.cache.SSMSW", // maximum size, expiry after write
            "com.github.benmanes.caffeine.cache.SSSMSW", // the same, with statistics
            "com.github.benmanes.caffeine.cache.PSWMS",
            "com.github.benmanes.caffeine.cache.SSMW", // maximum weight
            "com.github.benmanes.caffeine.cache.PSMW"
        })
final class CaffeineReflection {
    private CaffeineReflection() {}
}
