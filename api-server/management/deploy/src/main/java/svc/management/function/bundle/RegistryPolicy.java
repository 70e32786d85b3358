package svc.management.function.bundle;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What bundling may reach, as origins for the bundler's words and as hosts for the permissions of its process. Pure.
 */
record RegistryPolicy(Set<URI> origins, URI npm, URI jsr, boolean privateRegistries) {
    /** Checked by the runtime after the name was resolved; it takes no ranges of IPv6. */
    private static final List<String> PRIVATE = List.of(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "[::]",
            "[::1]");

    static RegistryPolicy of(BundleConfig config) {
        Set<URI> origins = config.importHosts().stream()
                .map(String::strip)
                .filter(host -> !host.isEmpty())
                .map(host -> URI.create(host.contains("://") ? host : "https://" + host))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return new RegistryPolicy(
                origins,
                URI.create(config.npmRegistry()),
                URI.create(config.jsrRegistry()),
                config.privateRegistries());
    }

    List<String> permissions() {
        List<String> flags = new ArrayList<>();
        Set<URI> all = new LinkedHashSet<>(origins);
        all.add(npm);
        all.add(jsr);
        flags.add("--allow-net=" + all.stream().map(RegistryPolicy::hostAndPort).collect(Collectors.joining(",")));
        if (!privateRegistries) {
            flags.add("--deny-net=" + String.join(",", PRIVATE));
        }
        return flags;
    }

    /** As the bundler takes it. */
    Map<String, Object> json() {
        return Map.of(
                "origins", origins.stream().map(URI::toString).toList(), "npm", npm.toString(), "jsr", jsr.toString());
    }

    private static String hostAndPort(URI origin) {
        int usual = "http".equals(origin.getScheme()) ? 80 : 443;
        return origin.getHost() + ":" + (origin.getPort() < 0 ? usual : origin.getPort());
    }
}
