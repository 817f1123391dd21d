package dev.animalstore;

import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.FallbackConfigSourceInterceptor;
import io.smallrye.config.Priorities;
import jakarta.annotation.Priority;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** Gives the engine's datasource the address and the log-in of the default datasource, unless it has its own. */
// Before the profile is added to names, since the settings of a profile count too, and after expressions.
@Priority(Priorities.LIBRARY + 250)
public final class DefaultDatabase extends FallbackConfigSourceInterceptor {
    private static final long serialVersionUID = 1L;

    private static final Map<String, String> SETTINGS = Map.of(
            "quarkus.datasource.metering.jdbc.url", "quarkus.datasource.jdbc.url",
            "quarkus.datasource.metering.username", "quarkus.datasource.username",
            "quarkus.datasource.metering.password", "quarkus.datasource.password",
            "quarkus.datasource.metering.credentials-provider", "quarkus.datasource.credentials-provider");

    public DefaultDatabase() {
        super(name -> SETTINGS.getOrDefault(name, name));
    }

    /** Settings of a named datasource are read only if they are among the names. */
    @Override
    public Iterator<String> iterateNames(ConfigSourceInterceptorContext context) {
        Set<String> names = new HashSet<>(SETTINGS.keySet());
        context.iterateNames().forEachRemaining(names::add);
        return names.iterator();
    }
}
