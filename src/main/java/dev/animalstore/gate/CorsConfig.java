package dev.animalstore.gate;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which web pages may use the API from a browser. A key that a page holds can be read by every visitor of the page. */
@ConfigMapping(prefix = "animalstore.cors")
interface CorsConfig {
    /** The origins of those pages, such as {@code https://app.example}, or {@code *} for all. None if absent. */
    Optional<List<String>> origins();

    /** How long a browser may cache a preflight; browsers have their own maximum. */
    @WithDefault("2h")
    Duration maxAge();
}
