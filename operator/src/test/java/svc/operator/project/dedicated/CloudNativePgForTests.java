package svc.operator.project.dedicated;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.installation.CrdInstallation;
import svc.operator.testing.TestingOperator;

/**
 * Does what CloudNativePG documents that it does, when the test lets it: makes the Service and the Secrets of a cluster, and
 * says in its status how far it is. Its instance is the server given.
 */
public final class CloudNativePgForTests {
    private static final ResourceDefinitionContext CLUSTERS = new ResourceDefinitionContext.Builder()
            .withGroup("postgresql.cnpg.io")
            .withVersion("v1")
            .withKind("Cluster")
            .withPlural("clusters")
            .withNamespaced(true)
            .build();

    private static final long LIMIT_SECONDS = TestingOperator.LIMIT.toSeconds();

    private final KubernetesClient client;
    private final String namespace;
    private final ProjectServerForTests server;

    CloudNativePgForTests(KubernetesClient client, String namespace, ProjectServerForTests server) {
        this.client = client;
        this.namespace = namespace;
        this.server = server;
    }

    /** One that brings no cluster up. */
    public static CloudNativePgForTests withoutServer(KubernetesClient client, String namespace) {
        return new CloudNativePgForTests(client, namespace, null);
    }

    /** Its kind. */
    public void install() {
        CustomResourceDefinition kind = definition();
        client.resource(kind).create();
        client.resource(kind).waitUntilCondition(CrdInstallation::isServed, LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** With all clusters; returns when it can be installed again, which a server of Kubernetes delays. */
    public void uninstall() {
        CustomResourceDefinition kind = definition();
        client.resource(kind).delete();
        client.resource(kind).waitUntilCondition(Objects::isNull, LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private CustomResourceDefinition definition() {
        return client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .load(CloudNativePgForTests.class.getResourceAsStream("clusters.yaml"))
                .item();
    }

    Resource<GenericKubernetesResource> at(String cluster) {
        return client.genericKubernetesResources(CLUSTERS)
                .inNamespace(namespace)
                .withName(cluster);
    }

    /** Waits until the operator created it. */
    public GenericKubernetesResource cluster(String name) {
        return Awaitility.await(name)
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> at(name).get(), found -> found != null);
    }

    void says(String cluster, String phase) {
        status(cluster, status -> status.put("phase", phase));
    }

    void hibernates(String cluster, boolean asleep) {
        status(cluster, status -> {
            status.put("readyInstances", asleep ? 0 : 1);
            status.put("phase", asleep ? "Cluster is hibernated" : "Cluster in healthy state");
            status.put(
                    "conditions",
                    List.of(
                            condition("Ready", !asleep, asleep ? "ClusterIsNotReady" : "ClusterIsReady"),
                            condition("cnpg.io/hibernation", asleep, asleep ? "Hibernated" : "Running")));
        });
    }

    /** The first instance is up: a database and its owner, Service and Secrets, and then the conditions. */
    void bringsUp(String cluster) {
        Map<?, ?> initdb = at(cluster).get().get("spec", "bootstrap", "initdb");
        server.sql("postgres", "CREATE DATABASE " + initdb.get("database"));
        secret(cluster + "-ca", Map.of("ca.crt", server.authority()));
        secret(
                cluster + "-superuser",
                Map.of(
                        "username",
                        EmbeddedPostgres.OPERATOR,
                        "password",
                        server.postgres().operatorPassword(),
                        "dbname",
                        "*",
                        "host",
                        cluster + "-rw",
                        "port",
                        "5432"));
        // There is no name server here: the Service says itself what one would answer.
        client.resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(cluster + "-rw")
                        .endMetadata()
                        .withNewSpec()
                        .withType("ExternalName")
                        .withExternalName(ProjectServerForTests.HOST)
                        .addNewPort()
                        .withName("postgres")
                        .withPort(server.postgres().port())
                        .endPort()
                        .endSpec()
                        .build())
                .create();
        status(cluster, status -> {
            status.put("instances", 1);
            status.put("readyInstances", 1);
            status.put("phase", "Cluster in healthy state");
            status.put("conditions", List.of(condition("Ready", true, "ClusterIsReady")));
        });
    }

    private static Map<String, Object> condition(String type, boolean holds, String reason) {
        return Map.of(
                "type",
                type,
                "status",
                holds ? "True" : "False",
                "reason",
                reason,
                "message",
                "",
                "lastTransitionTime",
                "2026-01-01T00:00:00Z");
    }

    void secret(String name, Map<String, String> data) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withStringData(data)
                .build();
        client.resource(secret).create();
    }

    @SuppressWarnings("unchecked")
    private void status(String cluster, Consumer<Map<String, Object>> change) {
        // The operator applies what it wants of the cluster meanwhile.
        TestingOperator.retried(() -> at(cluster).editStatus(found -> {
            Map<String, Object> status = new HashMap<>();
            if (found.getAdditionalProperties().get("status") instanceof Map<?, ?> before) {
                status.putAll((Map<String, Object>) before);
            }
            change.accept(status);
            found.setAdditionalProperty("status", status);
            return found;
        }));
    }
}
