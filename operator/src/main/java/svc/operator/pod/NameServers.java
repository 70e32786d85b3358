package svc.operator.pod;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.util.List;
import java.util.Optional;

/**
 * The cluster's name servers in NetworkPolicies.
 *
 * @param peers empty: the default of the kind of pod
 * @param port on which the name servers' pods listen; policies apply behind the Service's address and port
 */
public record NameServers(List<NetworkPolicyPeer> peers, int port) {
    private static final int STANDARD_PORT = 53;

    /** Those that each kind of pod reaches by default, at port 53. */
    public static final NameServers STANDARD = new NameServers(List.of(), STANDARD_PORT);

    public NameServers {
        peers = List.copyOf(peers);
    }

    /** The egress rule. @param usual the peers unless the settings have some; empty: any address */
    public NetworkPolicyEgressRule rule(List<NetworkPolicyPeer> usual) {
        return new NetworkPolicyEgressRuleBuilder()
                .withTo(peers.isEmpty() ? usual : peers)
                .withPorts(over("UDP"), over("TCP"))
                .build();
    }

    /** See {@link PodSettings#DIGEST}. */
    public Optional<String> digest() {
        return equals(STANDARD) ? Optional.empty() : Optional.of(PodSettings.digest(this));
    }

    private NetworkPolicyPort over(String protocol) {
        return new NetworkPolicyPortBuilder()
                .withProtocol(protocol)
                .withPort(new IntOrString(port))
                .build();
    }
}
