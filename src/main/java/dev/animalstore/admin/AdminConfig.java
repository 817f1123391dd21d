package dev.animalstore.admin;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** The access to {@code /admin} and the console. */
@ConfigMapping(prefix = "animalstore.admin")
interface AdminConfig {
    /** The bearer token of operators: at least 32 characters of printable ASCII. Without it every path under {@code /admin} is 404. */
    Optional<String> token();
}
