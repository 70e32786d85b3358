package svc.platform.tenancy;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import svc.database.network.ServerNetworks;

/** Makes the rules for database servers that tenants chose from the configuration. */
@ApplicationScoped
class ProjectServers {
    /** Of any URL, JDBC's included; the first host of several. */
    private static final Pattern HOST = Pattern.compile("://(?:[^@/]*@)?(\\[[^]]+]|[^:/,?]+)");

    /** The operator has the same settings. */
    @ConfigMapping(prefix = "svc.project-servers")
    interface Config {
        /** The networks in which they may be. CIDR. */
        Optional<List<String>> networks();

        /** Servers of the platform that are closed while networks has its default: ranges or host names. */
        Optional<List<String>> closed();
    }

    /** The platform's own servers that this process knows are closed. */
    @Produces
    @Singleton
    ServerNetworks networks(
            Config config,
            @ConfigProperty(name = "svc.api.platform.url") Optional<String> database,
            @ConfigProperty(name = "quarkus.redis.hosts") Optional<List<String>> redis,
            @ConfigProperty(name = "svc.api.s3.endpoint") Optional<String> objects,
            @ConfigProperty(name = "KUBERNETES_SERVICE_HOST") Optional<String> kubernetes) {
        List<String> closed = new ArrayList<>(config.closed().orElse(List.of()));
        database.ifPresent(url -> addHost(closed, url));
        redis.orElse(List.of()).forEach(url -> addHost(closed, url));
        objects.ifPresent(url -> addHost(closed, url));
        kubernetes.ifPresent(closed::add);
        return new ServerNetworks(config.networks().orElse(List.of()), closed);
    }

    private static void addHost(List<String> closed, String url) {
        Matcher host = HOST.matcher(url);
        if (host.find()) {
            closed.add(host.group(1));
        }
    }
}
