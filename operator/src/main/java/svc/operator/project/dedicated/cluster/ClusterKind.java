package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** CloudNativePG's resource, and what it makes beside it. */
final class ClusterKind {
    static final String API_VERSION = "postgresql.cnpg.io/v1";
    static final String KIND = "Cluster";

    static final ResourceDefinitionContext CONTEXT = new ResourceDefinitionContext.Builder()
            .withGroup("postgresql.cnpg.io")
            .withVersion("v1")
            .withKind(KIND)
            .withPlural("clusters")
            .withNamespaced(true)
            .build();

    /** {@code on} stops the instances and keeps their volumes; also the type of the condition that says it is done. */
    static final String HIBERNATION = "cnpg.io/hibernation";

    private ClusterKind() {}

    /** The Service that leads to the instance that takes writes. */
    static String service(String cluster) {
        return cluster + "-rw";
    }

    /** The superuser's {@code username} and {@code password}. */
    static String superuserSecret(String cluster) {
        return cluster + "-superuser";
    }

    /** The authority ({@code ca.crt}) that signs the servers' certificates. */
    static String authoritySecret(String cluster) {
        return cluster + "-ca";
    }
}
