package svc.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** EndpointSlices as Kubernetes' controller writes them. */
class EndpointAddressesTest {
    private static final FunctionRoute.Key FUNCTION = new FunctionRoute.Key("projects", "fn-hello");

    private static List<SocketAddress> addresses(String endpoints) {
        String slice = """
                {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
                 "metadata": {"name": "fn-hello-x", "namespace": "projects"},
                 "endpoints": %s, "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}]}
                """.formatted(endpoints);
        return EndpointAddresses.of(Serialization.unmarshal(slice, EndpointSlice.class), FUNCTION, Optional.empty());
    }

    @Test
    void aServiceWhoseLastPodIsGoneHasNoProcess() {
        assertThat(addresses("null")).isEmpty();
        assertThat(addresses("[]")).isEmpty();
    }

    @Test
    void aPodThatIsToEndTakesNoMoreCalls() {
        assertThat(addresses("""
                [{"addresses": ["10.1.2.3"], "conditions": {"ready": true, "serving": true, "terminating": false}},
                 {"addresses": ["10.1.2.4"], "conditions": {"ready": false, "serving": true, "terminating": true}}]
                """)).containsExactly(SocketAddress.inetSocketAddress(8080, "10.1.2.3"));
    }
}
