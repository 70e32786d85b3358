package svc.operator.config;

import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SeccompProfile;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import svc.operator.pod.Confinement;

/**
 * The "restricted" Pod Security Standard for the pods of functions: they run code of tenants, and a setting by mistake must
 * not lift what confines them. Source: kubernetes.io/docs/concepts/security/pod-security-standards.
 */
final class RestrictedStandard {
    private static final String POD = "pod-security-context";
    private static final String CONTAINER = "container-security-context";
    private static final Set<String> SECCOMP = Set.of("RuntimeDefault", "Localhost");

    private RestrictedStandard() {}

    /** @throws IllegalStateException for less than the standard; names the key and the field */
    static Confinement checked(Confinement confinement) {
        PodSecurityContext pod = confinement.pod();
        SecurityContext container = confinement.container();
        boolean nonRoot =
                Optional.ofNullable(container.getRunAsNonRoot()).orElse(Boolean.TRUE.equals(pod.getRunAsNonRoot()));
        require(nonRoot, POD, "runAsNonRoot must be true");
        require(!Objects.equals(pod.getRunAsUser(), 0L), POD, "runAsUser must not be 0");
        require(!Objects.equals(container.getRunAsUser(), 0L), CONTAINER, "runAsUser must not be 0");
        SeccompProfile seccomp =
                Optional.ofNullable(container.getSeccompProfile()).orElse(pod.getSeccompProfile());
        require(
                seccomp != null && SECCOMP.contains(String.valueOf(seccomp.getType())),
                POD,
                "seccompProfile.type must be RuntimeDefault or Localhost");
        require(
                Boolean.FALSE.equals(container.getAllowPrivilegeEscalation()),
                CONTAINER,
                "allowPrivilegeEscalation must be false");
        require(!Boolean.TRUE.equals(container.getPrivileged()), CONTAINER, "privileged must not be true");
        require(
                container.getCapabilities() != null
                        && container.getCapabilities().getDrop().contains("ALL")
                        && List.of("NET_BIND_SERVICE")
                                .containsAll(container.getCapabilities().getAdd()),
                CONTAINER,
                "capabilities must drop ALL, and add none but NET_BIND_SERVICE");
        require(
                container.getProcMount() == null || container.getProcMount().equals("Default"),
                CONTAINER,
                "procMount must be Default");
        require(pod.getSysctls().isEmpty(), POD, "sysctls must be empty");
        requireAppArmor(confinement);
        return confinement;
    }

    private static void requireAppArmor(Confinement confinement) {
        var ofPod = confinement.pod().getAppArmorProfile();
        var ofContainer = confinement.container().getAppArmorProfile();
        require(
                ofPod == null || !"Unconfined".equals(ofPod.getType()),
                POD,
                "appArmorProfile.type must not be Unconfined");
        require(
                ofContainer == null || !"Unconfined".equals(ofContainer.getType()),
                CONTAINER,
                "appArmorProfile.type must not be Unconfined");
    }

    private static void require(boolean met, String key, String rule) {
        if (!met) {
            throw PodSettingValue.refused(
                    key, rule + ": the pods run code of tenants, under the restricted Pod Security Standard");
        }
    }
}
