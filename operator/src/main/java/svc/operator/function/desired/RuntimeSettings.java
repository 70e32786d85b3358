package svc.operator.function.desired;

import java.util.List;
import svc.operator.pod.ManagedPods;

/**
 * Settings that all functions of an installation share.
 *
 * @param image container image
 * @param gatewayUrl where functions reach the data plane; <code>{ref}</code> stands for a project's ref
 * @param gatewayNamespace the namespace of the data plane's pods, the only ones that may call a function
 * @param closedNetworks CIDRs that functions may not reach, beside the private and link-local ones
 * @param pods settings of their pods
 */
public record RuntimeSettings(
        String image, String gatewayUrl, String gatewayNamespace, List<String> closedNetworks, ManagedPods pods) {
    public RuntimeSettings {
        closedNetworks = List.copyOf(closedNetworks);
    }

    /** The data plane's address for the functions of one project. */
    String gatewayOf(String ref) {
        return gatewayUrl.replace("{ref}", ref);
    }
}
