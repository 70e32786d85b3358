package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** CloudNativePG's Cluster kind and the names of the objects that it creates. */
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

    /** {@code on} stops the instances and keeps their volumes; also the type of the condition that reports it. */
    static final String HIBERNATION = "cnpg.io/hibernation";

    private ClusterKind() {}

    /** The Service of the primary instance. */
    static String service(String cluster) {
        return cluster + "-rw";
    }

    /** The Secret with the superuser's {@code username} and {@code password}. */
    static String superuserSecret(String cluster) {
        return cluster + "-superuser";
    }

    /** The Secret with the certificate authority ({@code ca.crt}) of the servers. */
    static String authoritySecret(String cluster) {
        return cluster + "-ca";
    }
}
