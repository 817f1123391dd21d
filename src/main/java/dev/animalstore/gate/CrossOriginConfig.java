package dev.animalstore.gate;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which web pages may use the API from a browser. A key that a page holds can be read by whoever opens the page. */
@ConfigMapping(prefix = "animalstore.cors")
interface CrossOriginConfig {
    /** The origins of those pages, as {@code https://app.example}, or {@code *} for all; absent: none. */
    Optional<List<String>> origins();

    /** How long a browser may remember that it asked; browsers have a maximum of their own. */
    @WithDefault("2h")
    Duration maxAge();
}
