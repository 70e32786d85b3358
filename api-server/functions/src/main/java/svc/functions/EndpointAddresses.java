package svc.functions;

import com.google.re2j.Pattern;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import svc.platform.workload.PodAddress;
import svc.platform.workload.ReadyEndpoints;

/**
 * The ready addresses of an EndpointSlice. A caller with write access to EndpointSlices in a namespace decides where the
 * gateway connects to, so addresses that no pod has are dropped: loopback, and link-local with its metadata service.
 */
final class EndpointAddresses {
    private static final Pattern SOCKET = Pattern.compile("[a-z0-9]([-a-z0-9]{0,62})\\.sock");

    private EndpointAddresses() {}

    /**
     * @param key of the function, which names the directory of its sockets
     * @param sockets the directory of all sockets; without it host names are not resolved
     */
    static List<SocketAddress> of(EndpointSlice slice, FunctionRoute.Key key, Optional<Path> sockets) {
        return ReadyEndpoints.addresses(slice)
                .flatMap(address -> address(slice, address, key, sockets).stream())
                .toList();
    }

    private static Optional<SocketAddress> address(
            EndpointSlice slice, String address, FunctionRoute.Key key, Optional<Path> sockets) {
        if ("FQDN".equals(slice.getAddressType())) {
            return sockets.filter(folder -> SOCKET.matcher(address).matches())
                    .map(folder -> folder.resolve(key.namespace())
                            .resolve(key.object())
                            .resolve(address)
                            .toString())
                    .map(SocketAddress::domainSocketAddress);
        }
        return PodAddress.isOne(address)
                ? Optional.of(SocketAddress.inetSocketAddress(ReadyEndpoints.port(slice), address))
                : Optional.empty();
    }
}
