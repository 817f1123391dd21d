package dev.animalstore.admin;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** Whether and for whom there is an operators' interface. */
@ConfigMapping(prefix = "animalstore.admin")
interface AdminConfig {
    /** What operators send as a bearer token: at least 32 characters of printable ASCII. Without it nothing is found under {@code /admin}. */
    Optional<String> token();
}
