package svc.operator.function.desired;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The Service and NetworkPolicy of a function. Ingress: the gateway only. Egress: the cluster's DNS, the gateway, and the
 * internet without private, link-local and other special ranges, where databases, metadata services and other tenants are.
 */
public final class FunctionNetwork {
    /** Labels of the data plane's pods. */
    static final Map<String, String> GATEWAY = Map.of("app.kubernetes.io/component", "data-plane");

    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    /** Special-purpose ranges of RFC 6890, which are not part of the internet. */
    private static final List<String> CLOSED_4 = List.of(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "224.0.0.0/3");

    /** Global unicast IPv6, except forms that embed an IPv4 address, which would bypass the IPv4 list. */
    private static final String OPEN_6 = "2000::/3";

    private static final List<String> CLOSED_6 = List.of("2001::/32", "2002::/16");

    private FunctionNetwork() {}

    static Service service(DesiredFunction function) {
        return new ServiceBuilder()
                .withMetadata(function.metadata(function.objectName(), DesiredFunction.PURPOSE))
                .withNewSpec()
                .withType("ClusterIP")
                // Headless: the gateway selects a pod from the EndpointSlices.
                .withClusterIP("None")
                .withSelector(function.selector())
                .addNewPort()
                .withName("http")
                .withPort(FunctionDeployment.PORT)
                .withTargetPort(new IntOrString(FunctionDeployment.PORT))
                .withProtocol("TCP")
                .endPort()
                .endSpec()
                .build();
    }

    static NetworkPolicy policy(DesiredFunction function) {
        NetworkPolicyPeer gateway = pods(function.runtime().gatewayNamespace(), GATEWAY);
        return new NetworkPolicyBuilder()
                .withMetadata(function.metadata(
                        function.objectName(),
                        DesiredFunction.PURPOSE,
                        function.runtime().pods().nameServers().digest()))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(function.selector())
                .endPodSelector()
                .withPolicyTypes("Ingress", "Egress")
                .addNewIngress()
                .withFrom(gateway)
                .withPorts(port("TCP", FunctionDeployment.PORT))
                .endIngress()
                .withEgress(dns(function.runtime()), to(gateway), internet(function.runtime()))
                .endSpec()
                .build();
    }

    private static NetworkPolicyEgressRule dns(RuntimeSettings runtime) {
        return runtime.pods().nameServers().rule(List.of(pods("kube-system", Map.of())));
    }

    private static NetworkPolicyEgressRule internet(RuntimeSettings runtime) {
        List<String> closed4 = new ArrayList<>(CLOSED_4);
        List<String> closed6 = new ArrayList<>(CLOSED_6);
        runtime.closedNetworks().forEach(cidr -> (cidr.contains(":") ? closed6 : closed4).add(cidr));
        return to(block("0.0.0.0/0", closed4), block(OPEN_6, closed6));
    }

    private static NetworkPolicyEgressRule to(NetworkPolicyPeer... peers) {
        return new NetworkPolicyEgressRuleBuilder().withTo(peers).build();
    }

    private static NetworkPolicyPeer block(String cidr, List<String> except) {
        return new NetworkPolicyPeerBuilder()
                .withNewIpBlock()
                .withCidr(cidr)
                .withExcept(except)
                .endIpBlock()
                .build();
    }

    private static NetworkPolicyPeer pods(String namespace, Map<String, String> labels) {
        var peer = new NetworkPolicyPeerBuilder()
                .withNewNamespaceSelector()
                .addToMatchLabels(NAMESPACE_NAME, namespace)
                .endNamespaceSelector();
        return labels.isEmpty()
                ? peer.build()
                : peer.withNewPodSelector()
                        .withMatchLabels(labels)
                        .endPodSelector()
                        .build();
    }

    private static NetworkPolicyPort port(String protocol, int number) {
        return new NetworkPolicyPortBuilder()
                .withProtocol(protocol)
                .withPort(new IntOrString(number))
                .build();
    }
}
