package svc.operator.pod;

import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;

/** The security contexts of a pod and of its container. Together they satisfy the "restricted" Pod Security Standard. */
public record Confinement(PodSecurityContext pod, SecurityContext container) {
    /** User and group id of the images' processes; not used by anything else. */
    private static final long USER = 65_532;

    /** The user of the images, without a capability, and with the container runtime's seccomp profile. */
    public static final Confinement RESTRICTED = new Confinement(
            new PodSecurityContextBuilder()
                    .withRunAsNonRoot(true)
                    .withRunAsUser(USER)
                    .withRunAsGroup(USER)
                    .withNewSeccompProfile()
                    .withType("RuntimeDefault")
                    .endSeccompProfile()
                    .build(),
            new SecurityContextBuilder()
                    .withAllowPrivilegeEscalation(false)
                    .withReadOnlyRootFilesystem(true)
                    .withRunAsNonRoot(true)
                    .withNewCapabilities()
                    .addToDrop("ALL")
                    .endCapabilities()
                    .build());
}
