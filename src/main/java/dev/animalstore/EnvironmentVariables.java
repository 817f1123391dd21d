package dev.animalstore;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.Priorities;
import jakarta.annotation.Priority;

/**
 * Takes the values of environment variables as they are: {@code $} has no meaning in them, since many are passwords and tokens. Its priority
 * is below that of SmallRye's interceptor which expands expressions, and would replace {@code $$} and <code>${…}</code> otherwise.
 */
@Priority(Priorities.LIBRARY)
public final class EnvironmentVariables implements ConfigSourceInterceptor {
    private static final long serialVersionUID = 1L;

    // The configuration is read before the first connection and the first server, whoever has the main class.
    static {
        // Otherwise Netty would not load the engine's extensions.
        System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
        // Quarkus would respond to a target that is no URI before RequestScreening sees it, and keep a connection that
        // must be closed.
        System.setProperty("vertx.disableURIValidation", "true");
    }

    @Override
    public ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue value = context.proceed(name);
        if (value == null
                || value.getValue() == null
                || !String.valueOf(value.getConfigSourceName()).startsWith(EnvConfigSource.NAME)) {
            return value;
        }
        // "$$" stands for "$", but not behind "\", which is therefore the default value of a setting that does
        // not exist.
        return value.withValue(
                value.getValue().replace("$", "$$").replaceAll("(\\\\+)\\$\\$", "\\${animalstore.none:$1}\\$\\$"));
    }
}
