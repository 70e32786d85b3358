package svc.extensions.net;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import svc.platform.config.ApiConfig;
import svc.platform.tenancy.Tenant;

/** The addresses of a project's own API: its host, and where paths lead to projects also {@code /p/<ref>} on this machine. */
@ApplicationScoped
public class OwnAddresses {
    private static final List<String> THIS_MACHINE = List.of("127.0.0.1", "localhost");

    /** The control plane's address, where paths lead to projects. */
    private final Optional<URI> pathStyle;

    @Inject
    OwnAddresses(ApiConfig config) {
        this(
                config.hosts().pathStyle() && config.hosts().loopbackControl()
                        ? Optional.of(URI.create(config.hosts().baseUrl()))
                        : Optional.empty());
    }

    /** @param pathStyle the address of a control plane on this machine, on which {@code /p/<ref>} leads to a project */
    OwnAddresses(Optional<URI> pathStyle) {
        this.pathStyle = pathStyle;
    }

    /** Where no path leads to a project. */
    public static OwnAddresses ofHosts() {
        return new OwnAddresses(Optional.empty());
    }

    /** Whether a call of this address reaches the project's API and nothing else. */
    boolean cover(Tenant tenant, URI address) {
        return Stream.concat(
                        Stream.of(OwnAddress.of(tenant)), pathStyle.stream().flatMap(base -> byPath(tenant, base)))
                .anyMatch(own -> own.covers(address));
    }

    private static Stream<OwnAddress> byPath(Tenant tenant, URI base) {
        return THIS_MACHINE.stream().map(host -> OwnAddress.onThisMachine(base, host, "/p/" + tenant.ref()));
    }
}
