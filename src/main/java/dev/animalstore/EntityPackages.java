package dev.animalstore;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.Enhancement;
import jakarta.enterprise.inject.build.compatible.spi.Messages;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.persistence.Entity;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Fails the build of a service whose entities are in no persistence unit. Beside the engine's, which is named, Quarkus makes a default one for
 * configured packages only; it would warn, and the first request would fail.
 */
public final class EntityPackages implements BuildCompatibleExtension {
    @Enhancement(types = PanacheEntityBase.class, withSubtypes = true, withAnnotations = Entity.class)
    public void verify(ClassInfo entity, Messages messages) {
        if (!entity.name().startsWith(EntityPackages.class.getPackageName() + ".") && !isConfigured()) {
            messages.error(
                    "Set quarkus.hibernate-orm.packages in application.properties to the packages of your entities, such as "
                            + entity.name().replaceFirst("[.][^.]+$", ""),
                    entity);
        }
    }

    private static boolean isConfigured() {
        return StreamSupport.stream(
                        ConfigProvider.getConfig().getPropertyNames().spliterator(), false)
                .anyMatch(name -> name.matches("quarkus\\.hibernate-orm\\.(?!metering\\.)(.+\\.)?packages.*"));
    }
}
