package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The objects of a file of manifests, at most one of each kind, read by a model that knows every field. */
record Manifests(Map<Class<?>, HasMetadata> objects) {
    static final Set<Class<? extends HasMetadata>> KINDS = Set.of(
            ConfigMap.class,
            Deployment.class,
            HorizontalPodAutoscaler.class,
            Ingress.class,
            NetworkPolicy.class,
            PodDisruptionBudget.class,
            Service.class);
    static final ObjectMapper STRICT = YAMLMapper.builder()
            .annotationIntrospector(new JacksonAnnotationIntrospector() {
                /** Otherwise the model would keep unknown fields. */
                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return false;
                }
            })
            .build();

    static Manifests read(Path file) throws IOException {
        Map<String, Class<? extends HasMetadata>> kinds =
                KINDS.stream().collect(Collectors.toMap(HasMetadata::getKind, Function.identity()));
        Map<Class<?>, HasMetadata> objects = new HashMap<>();
        for (JsonNode object : STRICT.readerFor(JsonNode.class)
                .<JsonNode>readValues(file.toFile())
                .readAll()) {
            Class<? extends HasMetadata> kind = kinds.get(object.get("kind").asText());
            assertTrue(kind != null, "unexpected " + object.get("kind"));
            assertTrue(objects.put(kind, STRICT.treeToValue(object, kind)) == null, "a second " + object.get("kind"));
        }
        return new Manifests(objects);
    }

    Set<Class<?>> kinds() {
        return objects.keySet();
    }

    <T extends HasMetadata> T get(Class<T> kind) {
        return kind.cast(objects.get(kind));
    }
}
