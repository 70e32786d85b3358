package svc.operator.project.sidecar.desired;

import java.util.Map;
import svc.database.network.ServerNetworks;
import svc.operator.pod.ManagedPods;

/**
 * Settings that all sidecars of an installation share.
 *
 * @param image the API server's
 * @param gatewayNamespace the namespace of the data plane's pods, the only ones that may call a sidecar
 * @param networks where servers that tenants chose may be
 * @param environment further variables of each process
 * @param pods settings of their pods
 */
public record SidecarSettings(
        String image,
        String gatewayNamespace,
        ServerNetworks networks,
        Map<String, String> environment,
        ManagedPods pods) {
    public SidecarSettings {
        environment = Map.copyOf(environment);
    }
}
