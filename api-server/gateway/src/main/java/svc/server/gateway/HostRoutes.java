package svc.server.gateway;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.netty.util.NetUtil;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import svc.database.name.SupabaseRef;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;

/**
 * Maps host and path to a plane. The two planes never share a host, so that a tenant's page cannot reach the control
 * plane. Path style gives that up; it is for one machine without wildcard DNS.
 */
final class HostRoutes {
    private static final Pattern REF = Pattern.compile("[a-z][a-z0-9]{7}");
    private static final Pattern PATH_STYLE = Pattern.compile("/p/([a-z][a-z0-9]{7}|[a-z]{20})(/.*)?");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1", "[::1]");
    private static final String PROBES = "/q/";

    private final Set<String> controlHosts;
    private final String dataSuffix;
    private final boolean pathStyle;
    private final Set<ServerRole> roles;

    HostRoutes(ApiConfig.Hosts hosts, Set<ServerRole> roles) {
        this.controlHosts = new HashSet<>();
        controlHosts.add("api." + hosts.domain().toLowerCase(Locale.ROOT));
        hosts.control().orElse(List.of()).forEach(host -> controlHosts.add(host.toLowerCase(Locale.ROOT)));
        if (hosts.loopbackControl()) {
            controlHosts.addAll(LOOPBACK);
        }
        this.dataSuffix = "." + hosts.data().toLowerCase(Locale.ROOT);
        this.pathStyle = hosts.pathStyle();
        this.roles = Set.copyOf(roles);
    }

    /**
     * @param host of the Host header, without the port; empty if the request has no valid one
     * @param proxied whether a proxy forwarded the request
     */
    Destination of(Optional<String> host, String path, boolean proxied) {
        String name = host.map(HostRoutes::canonical).orElse("");
        if (path.startsWith(PROBES) && !proxied && isOwnAddress(name)) {
            return new Destination.Probe();
        }
        if (controlHosts.contains(name)) {
            return onControlHost(path);
        }
        Optional<String> ref = ref(name);
        if (ref.isPresent()) {
            return data(ref.get(), path);
        }
        return new Destination.Nowhere();
    }

    /**
     * Kubelet and Prometheus ask by the pod's address, a test of the chart by the Service's name, and no proxy stands
     * between. Any other name may be a public one.
     */
    private static boolean isOwnAddress(String name) {
        return LOOPBACK.contains(name)
                || NetUtil.createByteArrayFromIpAddressString(name) != null
                || name.endsWith(".svc")
                || name.endsWith(".svc.cluster.local");
    }

    private Destination onControlHost(String path) {
        Matcher prefixed = PATH_STYLE.matcher(path);
        Optional<String> ref = pathStyle && prefixed.matches() ? spelled(prefixed.group(1)) : Optional.empty();
        if (ref.isPresent()) {
            return data(ref.get(), Optional.ofNullable(prefixed.group(2)).orElse("/"));
        }
        if (path.startsWith(PROBES)) {
            return new Destination.Nowhere();
        }
        return roles.contains(ServerRole.CONTROL) ? new Destination.Control(path) : new Destination.Nowhere();
    }

    private Destination data(String ref, String path) {
        return roles.contains(ServerRole.DATA) || roles.contains(ServerRole.REALTIME_SIDECAR)
                ? new Destination.Data(ref, path)
                : new Destination.Nowhere();
    }

    private Optional<String> ref(String host) {
        if (!host.endsWith(dataSuffix)) {
            return Optional.empty();
        }
        return spelled(host.substring(0, host.length() - dataSuffix.length()));
    }

    /** A ref in either spelling: Supabase's programs make addresses of the one of 20 letters that they know. */
    private static Optional<String> spelled(String label) {
        return REF.matcher(label).matches() ? Optional.of(label) : SupabaseRef.ref(label);
    }

    private static String canonical(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
