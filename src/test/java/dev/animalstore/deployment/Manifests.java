package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects of a file of manifests, checked by a model that knows every field, by their kind and what their name adds to that of the
 * service: {@code Deployment}, {@code Deployment-operators}.
 */
record Manifests(Map<String, JsonNode> objects) {
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Stream.of(
                    ConfigMap.class,
                    Deployment.class,
                    HorizontalPodAutoscaler.class,
                    HTTPRoute.class,
                    Ingress.class,
                    NetworkPolicy.class,
                    PodDisruptionBudget.class,
                    PodMonitor.class,
                    PrometheusRule.class,
                    Service.class)
            .collect(Collectors.toMap(HasMetadata::getKind, Function.identity()));

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
        Map<String, JsonNode> objects = new HashMap<>();
        for (JsonNode object : STRICT.readerFor(JsonNode.class)
                .<JsonNode>readValues(file.toFile())
                .readAll()) {
            String kind = object.get("kind").asText();
            assertNotNull(STRICT.treeToValue(object, KINDS.get(kind)), kind);
            String name = object.at("/metadata/name").asText();
            assertTrue(name.startsWith("animal-store"), name);
            assertNull(objects.put(kind + name.substring("animal-store".length()), object), name);
        }
        return new Manifests(objects);
    }

    JsonNode at(String object, String pointer) {
        return objects.getOrDefault(object, MissingNode.getInstance()).at(pointer);
    }
}
