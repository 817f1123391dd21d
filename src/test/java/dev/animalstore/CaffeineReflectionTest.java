package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import dev.animalstore.key.KeyCache;
import dev.animalstore.quota.LocalLimiter;
import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.lang.reflect.Field;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

@QuarkusTest
class CaffeineReflectionTest {
    @Inject
    KeyCache directory;

    @Test
    void declaredClasses_areThoseThatTheCachesConsistOf() throws ReflectiveOperationException {
        Set<String> used = new TreeSet<>();
        Object catalogue = Arc.container()
                .instance(Class.forName("dev.animalstore.pet.Catalogue"))
                .get();
        for (Object owner :
                List.of(directory, catalogue, new LocalLimiter(Clock.systemUTC(), 1, Optional.empty(), 1))) {
            // One is a bean that Quarkus intercepts by a class that extends it.
            Class<?> type = owner instanceof KeyCache ? KeyCache.class : owner.getClass();
            for (Field field : type.getDeclaredFields()) {
                if (AsyncCache.class.isAssignableFrom(field.getType())
                        || Cache.class.isAssignableFrom(field.getType())) {
                    Object implementation = read(read(owner, field.getName()), "cache");
                    used.add(implementation.getClass().getName());
                    used.add(read(implementation, "nodeFactory").getClass().getName());
                }
            }
        }

        RegisterForReflection declared = CaffeineReflection.class.getAnnotation(RegisterForReflection.class);
        assertEquals(used, new TreeSet<>(Arrays.asList(declared.classNames())));
    }

    private static Object read(Object owner, String name) throws ReflectiveOperationException {
        for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field.get(owner);
                }
            }
        }
        throw new NoSuchFieldException(name);
    }
}
