package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.animalstore.process.Artifact;
import io.quarkus.runtime.configuration.DurationConverter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The manifests that the build creates, read by a model that refuses unknown fields. {@code .ci/run} runs this again on the output of
 * kustomize, in the files that the property {@code manifests} names.
 */
@ParameterizedClass
@MethodSource("files")
class ManifestsIT {
    private static final String SERVICE = "/spec/template/spec/containers/0";
    private static final String MIGRATION = "/spec/template/spec/initContainers/0";

    private static final Set<String> PUBLIC = Set.of(
            "ConfigMap", "Deployment", "HorizontalPodAutoscaler", "NetworkPolicy", "PodDisruptionBudget", "Service");
    private static final Set<String> OPERATORS =
            Set.of("Deployment-operators", "NetworkPolicy-operators", "Service-operators");

    private static final String PATHS_OF_INGRESS = """
            - {path: /v1, pathType: Prefix, backend: {service: {name: animal-store, port: {name: http}}}}
            - {path: /q/openapi, pathType: Exact, backend: {service: {name: animal-store, port: {name: http}}}}
            """;
    private static final String MATCHES_OF_GATEWAY = """
            - path: {type: PathPrefix, value: /v1}
            - path: {type: Exact, value: /q/openapi}
            - path: {type: PathPrefix, value: /q/swagger-ui}
            """;

    /** How much of the termination grace period must remain after the last request. */
    private static final Duration TO_SPARE = Duration.ofSeconds(10);

    private final Path file;
    private final Manifests manifests;

    ManifestsIT(Path file) throws IOException {
        this.file = file;
        manifests = Manifests.read(file);
    }

    static Stream<Path> files() {
        return Stream.of(System.getProperty("manifests", "target/kubernetes/public/kubernetes.yml")
                        .split(","))
                .map(Path::of);
    }

    @Test
    void objects_areThoseOfCustomersAndOperatorsAndOneWayIn() {
        Set<String> objects = new TreeSet<>(PUBLIC);
        if (isRendered()) {
            objects.addAll(OPERATORS);
        }
        if (wayIn() != null) {
            objects.addAll(Set.of(wayIn(), "NetworkPolicy-proxies"));
        }
        assertEquals(objects, manifests.objects().keySet());
    }

    private boolean isRendered() {
        return !file.endsWith("kubernetes.yml");
    }

    /** The kind of the object by which customers get in; the base has none. */
    private String wayIn() {
        return switch (file.getFileName().toString()) {
            case "kubernetes.yml", "base.yml" -> null;
            case "gateway.yml" -> "HTTPRoute";
            default -> "Ingress";
        };
    }

    @Test
    void customers_reachTheApiAndItsDocumentOnly() throws IOException {
        if ("Ingress".equals(wayIn())) {
            field_hasItsValue("Ingress", "/spec/rules/0/http/paths", PATHS_OF_INGRESS);
            field_hasItsValue("Ingress", "/spec/rules/1", null);
        } else if (wayIn() != null) {
            field_hasItsValue("HTTPRoute", "/spec/rules/0/matches", MATCHES_OF_GATEWAY);
            field_hasItsValue("HTTPRoute", "/spec/rules/0/backendRefs", "[{name: animal-store, port: 80}]");
            field_hasItsValue("HTTPRoute", "/spec/rules/1", null);
        }
    }

    /** No proxy reaches the API's port of the base, and none that of the operators' replica. */
    @Test
    void proxies_aloneReachThePortOfTheApi() throws IOException {
        String label =
                isOnOpenShift() ? "policy-group.network.openshift.io/ingress: \"\"" : "animal-store/proxy: \"true\"";
        String rule = "[{from: [{namespaceSelector: {matchLabels: {" + label + "}}}], ports: [{port: 8080}]}]";
        field_hasItsValue("NetworkPolicy-proxies", "/spec/ingress", wayIn() == null ? null : rule);
        field_hasItsValue(
                "NetworkPolicy-proxies",
                "/spec/podSelector/matchLabels",
                wayIn() == null ? null : "{app.kubernetes.io/name: animal-store}");
        for (String policy : Set.of("NetworkPolicy", "NetworkPolicy-operators")) {
            field_hasItsValue(policy, "/spec/ingress/1", null);
        }
    }

    /** The token of each operator is an entry of a Secret, which only their replica gets. */
    @Test
    void operators_haveAReplicaOfTheirOwn() throws IOException {
        assumeTrue(isRendered());
        String deployment = "Deployment-operators";
        field_hasItsValue(deployment, "/spec/replicas", "1");
        field_hasItsValue(
                deployment,
                SERVICE + "/envFrom/1",
                "{prefix: ANIMALSTORE_ADMIN_TOKENS_, secretRef: {name: animal-store-operators}}");
        field_hasItsValue(deployment, SERVICE + "/env/0", "{name: ANIMALSTORE_ADMIN_ONLY, value: \"true\"}");
        field_hasItsValue(deployment, MIGRATION + "/envFrom/1", null);
        String labels = "{app.kubernetes.io/name: animal-store-operators}";
        field_hasItsValue(deployment, "/spec/selector/matchLabels", labels);
        field_hasItsValue("Service-operators", "/spec/selector", labels);
        field_hasItsValue("NetworkPolicy-operators", "/spec/podSelector/matchLabels", labels);
        for (String same : Set.of("/image", "/livenessProbe", "/readinessProbe", "/startupProbe", "/resources")) {
            assertEquals(deployment(SERVICE + same), manifests.at(deployment, SERVICE + same), same);
        }
    }

    /** The value is YAML, or empty if the field is absent. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # A pod has no rights that it does not need, and no volume of its node.
            Deployment | /spec/template/spec/automountServiceAccountToken        | false
            Deployment | /spec/template/spec/securityContext/runAsNonRoot        | true
            Deployment | /spec/template/spec/securityContext/seccompProfile/type | RuntimeDefault
            Deployment | /spec/template/spec/volumes                             | [{name: tmp, emptyDir: {sizeLimit: 64Mi}}]
            Deployment | /spec/template/spec/containers/0/securityContext        | {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
            Deployment | /spec/template/spec/initContainers/0/securityContext    | {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
            Deployment | /spec/template/spec/containers/1                        |
            Deployment | /spec/template/spec/initContainers/1                    |
            # Only the init container changes the schema.
            ConfigMap  | /data/QUARKUS_FLYWAY_MIGRATE_AT_START                   | false
            ConfigMap  | /data/QUARKUS_FLYWAY_VALIDATE_AT_START                  | true
            Deployment | /spec/template/spec/initContainers/0/env/0              | {name: ANIMALSTORE_MIGRATION_ONLY, value: "true"}
            Deployment | /spec/template/spec/initContainers/0/env/1              | {name: QUARKUS_FLYWAY_MIGRATE_AT_START, value: "true"}
            Deployment | /spec/template/spec/initContainers/0/env/2              | {name: QUARKUS_FLYWAY_VALIDATE_AT_START, value: "false"}
            # Replicas for customers have no operators' tokens, nor has the migration.
            Deployment | /spec/template/spec/containers/0/envFrom/1                 |
            Deployment | /spec/template/spec/initContainers/0/envFrom/1             |
            # The autoscaler sets the number of replicas; a number here would take back at each kubectl apply what it started.
            Deployment | /spec/replicas                                          |
            HorizontalPodAutoscaler | /spec/scaleTargetRef/name                  | animal-store
            # Probes are on the port of management, and no replica ends before another is ready.
            Deployment | /spec/template/spec/containers/0/startupProbe/httpGet/path   | /q/health/started
            Deployment | /spec/template/spec/containers/0/startupProbe/httpGet/port   | 9000
            Deployment | /spec/template/spec/containers/0/livenessProbe/httpGet/path  | /q/health/live
            Deployment | /spec/template/spec/containers/0/livenessProbe/httpGet/port  | 9000
            Deployment | /spec/template/spec/containers/0/readinessProbe/httpGet/path | /q/health/ready
            Deployment | /spec/template/spec/containers/0/readinessProbe/httpGet/port | 9000
            Deployment | /spec/strategy/rollingUpdate/maxUnavailable                  | 0
            # Neither replicas that fail nor their empty folders block the drain of a node.
            PodDisruptionBudget | /spec/unhealthyPodEvictionPolicy               | AlwaysAllow
            Deployment | /spec/template/metadata/annotations/cluster-autoscaler.kubernetes.io~1safe-to-evict | true
            # Prometheus reaches the port of management.
            Service    | /spec/ports                | [{name: http, port: 80, protocol: TCP, targetPort: 8080}]
            NetworkPolicy | /spec/policyTypes       | [Ingress, Egress]
            Deployment | /spec/template/metadata/annotations/prometheus.io~1port | 9000
            # Every selector finds the pods.
            Deployment | /spec/template/metadata/labels/app.kubernetes.io~1name  | animal-store
            Deployment | /spec/selector/matchLabels                              | {app.kubernetes.io/name: animal-store}
            Service    | /spec/selector                                          | {app.kubernetes.io/name: animal-store}
            PodDisruptionBudget | /spec/selector/matchLabels                     | {app.kubernetes.io/name: animal-store}
            NetworkPolicy       | /spec/podSelector/matchLabels                  | {app.kubernetes.io/name: animal-store}
            """)
    void field_hasItsValue(String kind, String pointer, String value) throws IOException {
        JsonNode field = manifests.at(kind, pointer);
        if (field.isContainerNode()) {
            assertEquals(Manifests.STRICT.readTree(String.valueOf(value)), field);
        } else {
            assertEquals(value == null ? "" : value, field.asText());
        }
    }

    /** The user, which OpenShift chooses itself, and the namespaces and annotations of its own parts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Deployment    | /spec/template/spec/securityContext/runAsUser  | 1001 |
            Deployment    | /spec/template/spec/securityContext/runAsGroup | 1001 |
            Ingress       | /spec/ingressClassName | | openshift-default
            NetworkPolicy | /spec/ingress/0/from  | [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}] | [{namespaceSelector: {matchLabels: {network.openshift.io/policy-group: monitoring}}}]
            NetworkPolicy | /spec/ingress/0/ports | [{port: 9000}] | [{port: 9000}]
            NetworkPolicy | /spec/egress/0/ports/0 | {port: 53, protocol: UDP} | {port: 5353, protocol: UDP}
            """)
    void field_hasItsValueOnOpenShiftToo(String kind, String pointer, String value, String onOpenShift)
            throws IOException {
        field_hasItsValue(kind, pointer, isOnOpenShift() ? onOpenShift : value);
    }

    private boolean isOnOpenShift() {
        return file.endsWith("openshift.yml");
    }

    @Test
    void containers_haveTheSameImageAndBounds() {
        String image = deployment(SERVICE + "/image").asText();
        assertFalse(image.endsWith("latest"), image);
        assertEquals(image, deployment(MIGRATION + "/image").asText());
        for (String container : Set.of(SERVICE, MIGRATION)) {
            JsonNode resources = deployment(container + "/resources");
            assertTrue(resources.path("limits").has("memory"), container);
            assertTrue(resources.path("requests").has("memory"), container);
            assertTrue(resources.path("requests").has("cpu"), container);
        }
    }

    @Test
    void secrets_areReferencedAndNeverIncluded() {
        Set<String> secrets = new TreeSet<>();
        for (String container : Set.of(SERVICE, MIGRATION)) {
            for (JsonNode variable : deployment(container + "/env")) {
                String secret = variable.at("/valueFrom/secretKeyRef/name").asText();
                assertEquals(
                        variable.get("name").asText().matches(".*(URL|HOSTS|USERNAME|PASSWORD|TOKEN)"),
                        !secret.isEmpty(),
                        variable::toString);
                secrets.add(container + " " + secret);
            }
        }
        assertTrue(secrets.contains(MIGRATION + " animal-store-database-owner"));
        assertFalse(secrets.contains(SERVICE + " animal-store-database-owner"));
        assertFalse(manifests.at("ConfigMap", "/data").toString().matches(".*(PASSWORD|TOKEN)\".*"));
    }

    /** Otherwise the replicas together would admit more than a limit. */
    @Test
    void replicas_areNeverMoreThanTheSettingThatSharesQuotas() {
        assertEquals(
                manifests.at("ConfigMap", "/data/ANIMALSTORE_REPLICAS").asText(),
                manifests.at("HorizontalPodAutoscaler", "/spec/maxReplicas").asText());
    }

    @Test
    void shutdown_leavesTimeForEveryRequest() throws IOException {
        Duration wait = Duration.ofSeconds(
                deployment(SERVICE + "/lifecycle/preStop/sleep/seconds").asLong());
        assertTrue(wait.toSeconds() > 0);
        Duration longest = wait.plus(setting("quarkus.shutdown.delay")).plus(setting("quarkus.shutdown.timeout"));
        long grace =
                deployment("/spec/template/spec/terminationGracePeriodSeconds").asLong();
        assertTrue(grace >= longest.plus(TO_SPARE).toSeconds(), "grace for " + longest);
    }

    /** A setting of the package, unless the manifests override it. */
    private Duration setting(String property) throws IOException {
        assertTrue(
                manifests
                        .at("ConfigMap", "/data/" + Artifact.variable(property))
                        .isMissingNode(),
                property);
        Properties settings = new Properties();
        try (InputStream file = Files.newInputStream(
                Path.of("src", "main", "resources", "META-INF", "microprofile-config.properties"))) {
            settings.load(file);
        }
        return DurationConverter.parseDuration(settings.getProperty("%prod." + property));
    }

    private JsonNode deployment(String pointer) {
        return manifests.at("Deployment", pointer);
    }
}
