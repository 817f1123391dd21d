package dev.animalstore;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.DefaultValuesConfigSource;
import io.smallrye.config.EnvConfigSource;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jboss.logging.Logger;

/** Warns at the start of environment variables that look like settings of the service and name none, which would be ignored silently. */
@Singleton
final class UnknownVariables {
    private static final Logger LOG = Logger.getLogger(UnknownVariables.class);

    private static final String OURS = "animalstore.";

    /** Settings without a default value. Those that have one are in a source of the configuration. */
    private static final Pattern WITHOUT_DEFAULT =
            Pattern.compile("animalstore\\.(?:admin\\.token|admin\\.tokens\\..+|cors\\.origins(?:\\[[0-9]+])?)");

    void warn(@Observes StartupEvent started, Config config) {
        Set<String> settings = new HashSet<>();
        Set<String> variables = new HashSet<>();
        for (ConfigSource source : config.getConfigSources()) {
            if (source instanceof DefaultValuesConfigSource) {
                settings.addAll(source.getPropertyNames());
            } else if (source instanceof EnvConfigSource) {
                variables.addAll(source.getPropertyNames());
            }
        }
        variables.stream()
                .filter(name -> name.startsWith(OURS))
                .filter(name -> !settings.contains(name)
                        && !WITHOUT_DEFAULT.matcher(name).matches())
                .map(name -> name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"))
                .sorted()
                .forEach(name -> LOG.warnf("%s is the variable of no setting, and is ignored", name));
    }
}
