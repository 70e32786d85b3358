package svc.chart.support;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a NetworkPolicy lets through, by the rules of Kubernetes; connections are of TCP. */
public final class Traffic {
    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private Traffic() {}

    /**
     * The other end of a connection.
     *
     * @param namespace of a pod; empty for an address outside the cluster, or of a node
     * @param labels of the pod
     */
    public record End(String address, Optional<String> namespace, Map<String, String> labels) {
        public static End at(String address) {
            return new End(address, Optional.empty(), Map.of());
        }

        public static End pod(String namespace, Map<String, String> labels) {
            return new End("10.42.7.9", Optional.of(namespace), labels);
        }
    }

    /** Whether the policy's pods may connect to that port there. */
    public static boolean leaves(NetworkPolicy policy, End to, int port) {
        return policy.getSpec().getEgress().stream()
                .anyMatch(rule -> isPort(rule.getPorts(), port) && isPeer(policy, rule.getTo(), to));
    }

    /** Whether the policy's pods may be connected to, at the port of that name. */
    public static boolean enters(NetworkPolicy policy, End from, String port) {
        return policy.getSpec().getIngress().stream()
                .anyMatch(rule -> rule.getPorts().stream().anyMatch(open -> isNamed(open.getPort(), port))
                        && isPeer(policy, rule.getFrom(), from));
    }

    /** Whether the policy's pods may be connected to, at the port of that number. */
    public static boolean enters(NetworkPolicy policy, End from, int port) {
        return policy.getSpec().getIngress().stream()
                .anyMatch(rule -> isPort(rule.getPorts(), port) && isPeer(policy, rule.getFrom(), from));
    }

    private static boolean isNamed(IntOrString port, String name) {
        return port != null && name.equals(port.getStrVal());
    }

    private static boolean isPort(List<NetworkPolicyPort> ports, int port) {
        return ports.isEmpty()
                || ports.stream()
                        .filter(open -> !"UDP".equals(open.getProtocol()))
                        .anyMatch(open -> open.getPort().getIntVal() == port);
    }

    /** An empty list allows all peers. */
    private static boolean isPeer(NetworkPolicy policy, List<NetworkPolicyPeer> peers, End end) {
        return peers.isEmpty() || peers.stream().anyMatch(peer -> isPeer(policy, peer, end));
    }

    private static boolean isPeer(NetworkPolicy policy, NetworkPolicyPeer peer, End end) {
        if (peer.getIpBlock() != null) {
            return end.namespace().isEmpty() && isWithin(peer.getIpBlock(), end.address());
        }
        if (end.namespace().isEmpty()) {
            return false;
        }
        String namespace = end.namespace().orElseThrow();
        boolean there = peer.getNamespaceSelector() == null
                ? namespace.equals(policy.getMetadata().getNamespace())
                : selects(peer.getNamespaceSelector(), Map.of(NAMESPACE_NAME, namespace));
        return there && (peer.getPodSelector() == null || selects(peer.getPodSelector(), end.labels()));
    }

    private static boolean selects(LabelSelector selector, Map<String, String> labels) {
        Map<String, String> wanted = selector.getMatchLabels() == null ? Map.of() : selector.getMatchLabels();
        return labels.entrySet().containsAll(wanted.entrySet())
                && selector.getMatchExpressions().stream().allMatch(expression -> holds(expression, labels));
    }

    private static boolean holds(LabelSelectorRequirement expression, Map<String, String> labels) {
        if (!expression.getOperator().equals("In")) {
            throw new IllegalArgumentException("not known to these tests: " + expression.getOperator());
        }
        return expression.getValues().contains(labels.get(expression.getKey()));
    }

    private static boolean isWithin(IPBlock block, String address) {
        return isWithin(block.getCidr(), address)
                && block.getExcept().stream().noneMatch(hole -> isWithin(hole, address));
    }

    private static boolean isWithin(String network, String address) {
        String[] parts = network.split("/");
        byte[] base = bytes(parts[0]);
        byte[] asked = bytes(address);
        int ignored = Byte.SIZE * base.length - Integer.parseInt(parts[1]);
        return base.length == asked.length
                && new BigInteger(1, base).shiftRight(ignored).equals(new BigInteger(1, asked).shiftRight(ignored));
    }

    private static byte[] bytes(String address) {
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }
}
