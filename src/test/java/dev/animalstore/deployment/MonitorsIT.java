package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The objects of the Prometheus operator, read by a model that refuses unknown fields. {@code .ci/run} runs this again on the output of
 * kustomize, in the file that the property {@code monitors} names.
 */
class MonitorsIT {
    private static final Path OVERLAY = Path.of("target", "kubernetes", "overlays", "prometheus-operator");
    private static final String RENDERED = System.getProperty("monitors");

    @Test
    void podMonitor_namesTheJobOfTheAlertsAndThePortOfManagement() throws IOException {
        JsonNode monitor = read("pod-monitor.yaml").at("PodMonitor", "/spec");
        JsonNode pod = Manifests.read(Path.of("target", "kubernetes", "public", "kubernetes.yml"))
                .at("Deployment", "/spec/template");

        String label = monitor.get("jobLabel").asText();
        assertEquals("animal-store", pod.at("/metadata/labels").get(label).asText());
        JsonNode selected = monitor.at("/selector/matchExpressions/0");
        assertEquals(label, selected.get("key").asText());
        assertEquals("animal-store", selected.at("/values/0").asText());
        JsonNode endpoint = monitor.at("/podMetricsEndpoints/0");
        assertEquals("/q/metrics", endpoint.get("path").asText());
        // Quarkus writes the ports in no fixed order.
        JsonNode ports = pod.at("/spec/containers/0/ports");
        JsonNode port = ports.get(ports.get(0).get("containerPort").asInt() == 9000 ? 0 : 1);
        assertEquals(9000, port.get("containerPort").asInt());
        assertEquals(port.get("name"), endpoint.get("port"));
    }

    @Test
    void rule_hasTheGroupsOfTheAlerts() throws IOException {
        JsonNode alerts = Manifests.STRICT.readTree(
                Path.of("src", "main", "observability", "alerts.yaml").toFile());
        assertEquals(alerts.get("groups"), read("rules.yaml").at("PrometheusRule", "/spec/groups"));
    }

    private static Manifests read(String source) throws IOException {
        if (RENDERED == null) {
            return Manifests.read(OVERLAY.resolve(source));
        }
        Manifests rendered = Manifests.read(Path.of(RENDERED));
        assertEquals(Set.of("PodMonitor", "PrometheusRule"), rendered.objects().keySet());
        return rendered;
    }
}
