package dev.animalstore;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Names to a native executable what Caffeine makes of the builders in this service: a class of caches and one of their entries for each
 * combination of features, which Caffeine finds by a name that it puts together. Quarkus names the usual ones and not all of these.
 */
@RegisterForReflection(
        classNames = {
            "com.github.benmanes.caffeine.cache.SSMSA", // at most so many, and not used for some time
            "com.github.benmanes.caffeine.cache.PSAMS",
            "com.github.benmanes.caffeine.cache.SSMSW", // at most so many, and written some time ago
            "com.github.benmanes.caffeine.cache.SSSMSA", // at most so many, each for a time of its own, with statistics
            "com.github.benmanes.caffeine.cache.PSWMS",
            "com.github.benmanes.caffeine.cache.PSWMW", // the same of an asynchronous cache
            "com.github.benmanes.caffeine.cache.SSMW", // at most so heavy
            "com.github.benmanes.caffeine.cache.PSMW"
        })
final class CaffeineReflection {
    private CaffeineReflection() {}
}
