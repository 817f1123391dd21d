package dev.animalstore;

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
