package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.animalstore.process.Artifact;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPath;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.quarkus.runtime.configuration.DurationConverter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The manifests that the build creates, read by a model that refuses unknown fields. {@code .ci/run} runs this again on the output of
 * kustomize, which the property {@code manifests} names.
 */
class ManifestsIT {
    private static final Path FILE = Path.of(System.getProperty("manifests", "target/kubernetes/base/kubernetes.yml"));

    /** How much of the termination grace period must remain after the last request. */
    private static final Duration TO_SPARE = Duration.ofSeconds(10);

    private static Manifests manifests;
    private static PodSpec pod;

    @BeforeAll
    static void read() throws IOException {
        manifests = Manifests.read(FILE);
        pod = get(Deployment.class).getSpec().getTemplate().getSpec();
    }

    @Test
    void objects_areOneOfEachKindWithoutASecret() {
        assertEquals(Manifests.KINDS, manifests.kinds());
    }

    @Test
    void reader_ofAnUnknownField_fails() {
        assertThrows(
                UnrecognizedPropertyException.class,
                () -> Manifests.STRICT.readValue("spec: {template: {spec: {hostnetwork: true}}}", Deployment.class));
    }

    @Test
    void pod_hasNoRightsItDoesNotNeed() {
        assertEquals(false, pod.getAutomountServiceAccountToken());
        assertEquals(true, pod.getSecurityContext().getRunAsNonRoot());
        assertEquals(
                "RuntimeDefault", pod.getSecurityContext().getSeccompProfile().getType());
        assertTrue(pod.getSecurityContext().getRunAsUser() > 0);
        assertTrue(pod.getVolumes().stream().allMatch(volume -> volume.getEmptyDir() != null), "no volume of the node");
        assertEquals(
                Set.of("migration", "animal-store"),
                containers().map(Container::getName).collect(Collectors.toSet()));
        containers().forEach(container -> {
            SecurityContext security = container.getSecurityContext();
            assertEquals(false, security.getAllowPrivilegeEscalation(), container.getName());
            assertEquals(true, security.getReadOnlyRootFilesystem(), container.getName());
            assertEquals(List.of("ALL"), security.getCapabilities().getDrop(), container.getName());
            assertEquals(List.of(), security.getCapabilities().getAdd(), container.getName());
        });
    }

    @Test
    void containers_haveTheSameImageAndBounds() {
        assertEquals(1, containers().map(Container::getImage).distinct().count());
        containers().forEach(container -> {
            assertFalse(container.getImage().endsWith("latest"), container.getImage());
            assertTrue(container.getResources().getLimits().containsKey("memory"));
            assertEquals(
                    Set.of("cpu", "memory"),
                    container.getResources().getRequests().keySet());
        });
    }

    @Test
    void secrets_areReferencedAndNeverIncluded() {
        Set<String> secrets = new TreeSet<>();
        containers().flatMap(container -> container.getEnv().stream()).forEach(variable -> {
            if (variable.getName().matches(".*(URL|HOSTS|USERNAME|PASSWORD|TOKEN)")) {
                secrets.add(variable.getValueFrom().getSecretKeyRef().getName());
            }
        });
        assertEquals(
                Set.of(
                        "animal-store-admin",
                        "animal-store-database",
                        "animal-store-database-owner",
                        "animal-store-redis"),
                secrets);
        assertTrue(configuration().keySet().stream().noneMatch(name -> name.matches(".*(PASSWORD|TOKEN)")));
    }

    @Test
    void schema_isChangedByTheInitContainerOnly() {
        assertEquals("false", configuration().get("QUARKUS_FLYWAY_MIGRATE_AT_START"));
        assertEquals("true", configuration().get("QUARKUS_FLYWAY_VALIDATE_AT_START"));
        Map<String, String> migration = pod.getInitContainers().get(0).getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
        assertEquals(
                Map.of(
                        "QUARKUS_INIT_AND_EXIT",
                        "true",
                        "QUARKUS_FLYWAY_MIGRATE_AT_START",
                        "true",
                        "QUARKUS_FLYWAY_VALIDATE_AT_START",
                        "false"),
                migration);
        assertTrue(pod.getContainers().get(0).getEnv().stream()
                .noneMatch(variable ->
                        variable.getValueFrom().getSecretKeyRef().getName().endsWith("-owner")));
    }

    @Test
    void replicas_areSetByTheAutoscalerOnly() {
        assertNull(
                get(Deployment.class).getSpec().getReplicas(),
                "each kubectl apply would take back what the autoscaler started");
        assertEquals(
                "animal-store",
                get(HorizontalPodAutoscaler.class).getSpec().getScaleTargetRef().getName());
    }

    @Test
    void replicas_areNeverMoreThanTheSettingThatSharesQuotas() {
        assertEquals(
                configuration().get("ANIMALSTORE_REPLICAS"),
                get(HorizontalPodAutoscaler.class).getSpec().getMaxReplicas().toString());
    }

    @Test
    void probesAndShutdown_loseNoRequest() throws IOException {
        Container service = pod.getContainers().get(0);
        assertEquals("/q/health/started", service.getStartupProbe().getHttpGet().getPath());
        assertEquals("/q/health/live", service.getLivenessProbe().getHttpGet().getPath());
        assertEquals("/q/health/ready", service.getReadinessProbe().getHttpGet().getPath());
        Duration wait = Duration.ofSeconds(
                service.getLifecycle().getPreStop().getSleep().getSeconds());
        assertTrue(wait.toSeconds() > 0);
        Duration longest = wait.plus(setting("quarkus.shutdown.delay")).plus(setting("quarkus.shutdown.timeout"));
        assertTrue(
                pod.getTerminationGracePeriodSeconds() >= longest.plus(TO_SPARE).toSeconds(), "grace for " + longest);
        assertEquals(
                0,
                get(Deployment.class)
                        .getSpec()
                        .getStrategy()
                        .getRollingUpdate()
                        .getMaxUnavailable()
                        .getIntVal());
    }

    @Test
    void ingress_exposesTheApiAndItsDocumentOnly() {
        List<HTTPIngressPath> paths = get(Ingress.class).getSpec().getRules().stream()
                .flatMap(rule -> rule.getHttp().getPaths().stream())
                .toList();
        assertEquals(
                List.of("Prefix /v1", "Exact /q/openapi"),
                paths.stream()
                        .map(path -> path.getPathType() + " " + path.getPath())
                        .toList());
        assertEquals(
                List.of("animal-store", "animal-store"),
                paths.stream()
                        .map(path -> path.getBackend().getService().getName())
                        .toList());
    }

    @Test
    void selectors_findThePods() {
        Map<String, String> labels =
                get(Deployment.class).getSpec().getTemplate().getMetadata().getLabels();
        List<Map<String, String>> selectors = List.of(
                get(Deployment.class).getSpec().getSelector().getMatchLabels(),
                get(Service.class).getSpec().getSelector(),
                get(PodDisruptionBudget.class).getSpec().getSelector().getMatchLabels(),
                get(NetworkPolicy.class).getSpec().getPodSelector().getMatchLabels());
        selectors.forEach(
                selector -> assertTrue(labels.entrySet().containsAll(selector.entrySet()), selector.toString()));
        assertEquals(
                List.of("Ingress", "Egress"), get(NetworkPolicy.class).getSpec().getPolicyTypes());
    }

    /** A setting of the package, unless the manifests override it. */
    private static Duration setting(String property) throws IOException {
        String variable = Artifact.variable(property);
        assertFalse(configuration().containsKey(variable), variable);
        Properties settings = new Properties();
        try (InputStream file = Files.newInputStream(Path.of("src", "main", "resources", "application.properties"))) {
            settings.load(file);
        }
        return DurationConverter.parseDuration(settings.getProperty("%prod." + property));
    }

    private static <T extends HasMetadata> T get(Class<T> kind) {
        return manifests.get(kind);
    }

    private static Map<String, String> configuration() {
        return get(ConfigMap.class).getData();
    }

    private static Stream<Container> containers() {
        return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream());
    }
}
