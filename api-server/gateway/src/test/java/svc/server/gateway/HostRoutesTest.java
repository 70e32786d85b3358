package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import svc.database.name.SupabaseRef;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.server.gateway.Destination.Control;
import svc.server.gateway.Destination.Data;
import svc.server.gateway.Destination.Nowhere;
import svc.server.gateway.Destination.Probe;

class HostRoutesTest {
    private static final Set<ServerRole> ALL = Set.of(ServerRole.values());
    private static final Map<String, String> PRODUCTION =
            Map.of("svc.api.hosts.domain", "svc.example", "svc.api.hosts.data", "data.example");
    private static final Map<String, String> ONE_MACHINE = Map.of(
            "svc.api.hosts.domain", "localhost",
            "svc.api.hosts.data", "localhost",
            "svc.api.hosts.loopback-control", "true",
            "svc.api.hosts.path-style", "true");

    private static Destination of(Map<String, String> settings, Set<ServerRole> roles, String host, String path) {
        return routes(settings, roles).of(Optional.ofNullable(host), path, false);
    }

    private static HostRoutes routes(Map<String, String> settings, Set<ServerRole> roles) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withMapping(ApiConfig.class)
                .withDefaultValues(settings)
                .addDiscoveredConverters()
                .build();
        return new HostRoutes(config.getConfigMapping(ApiConfig.class).hosts(), roles);
    }

    @Test
    void eachHostIsOfOnePlane() {
        assertThat(of(PRODUCTION, ALL, "api.svc.example", "/v1/projects")).isEqualTo(new Control("/v1/projects"));
        assertThat(of(PRODUCTION, ALL, "API.Svc.Example.", "/")).isEqualTo(new Control("/"));
        assertThat(of(PRODUCTION, ALL, "abcdefg2.data.example", "/rest/v1/t"))
                .isEqualTo(new Data("abcdefg2", "/rest/v1/t"));
        assertThat(of(PRODUCTION, ALL, "abcdefg2.data.example", "/v1/projects"))
                .isEqualTo(new Data("abcdefg2", "/v1/projects"));
        assertThat(of(PRODUCTION, ALL, SupabaseRef.of("abcdefg2") + ".data.example", "/storage/v1/bucket"))
                .isEqualTo(new Data("abcdefg2", "/storage/v1/bucket"));
    }

    @Test
    void otherHostsAreNowhere() {
        for (String host : new String[] {
            "svc.example",
            "data.example",
            "x.data.example",
            "abcdefg2.svc.example",
            "abcdefg2.data.example.evil",
            "abcdefghijklmnopqrst.data.example",
            "2bcdefg2.data.example",
            "abcdefg2.x.data.example",
            "127.0.0.1",
            "localhost",
            "",
            null
        }) {
            assertThat(of(PRODUCTION, ALL, host, "/v1/projects")).as("%s", host).isInstanceOf(Nowhere.class);
        }
    }

    @Test
    void probesAskByThePodsAddressAndNeverOnAProjectsHost() {
        for (String own : new String[] {"10.0.0.7", "[fd00::7]", "svc-control-plane.svc.svc", "localhost"}) {
            assertThat(of(PRODUCTION, ALL, own, "/q/health/ready")).as(own).isInstanceOf(Probe.class);
        }
        for (String open :
                new String[] {"api.svc.example", "API.svc.example.", "svc.example", "evil.example", "", null}) {
            assertThat(of(PRODUCTION, ALL, open, "/q/metrics")).as(open).isInstanceOf(Nowhere.class);
        }
        assertThat(of(PRODUCTION, ALL, "abcdefg2.data.example", "/q/metrics")).isInstanceOf(Data.class);
        // A wildcard certificate and route let every name under the domain pass.
        assertThat(of(PRODUCTION, ALL, "no-ref-at-all.data.example", "/q/metrics"))
                .isInstanceOf(Nowhere.class);
    }

    /** An ingress passes on any Host header, and says for whom. */
    @Test
    void noProbeComesThroughAProxy() {
        assertThat(routes(PRODUCTION, ALL).of(Optional.of("10.0.0.7"), "/q/metrics", true))
                .isInstanceOf(Nowhere.class);
    }

    @Test
    void pathStyleIsOffUnlessSwitchedOn() {
        assertThat(of(PRODUCTION, ALL, "api.svc.example", "/p/abcdefg2/rest/v1/t"))
                .isInstanceOf(Control.class);
        assertThat(of(ONE_MACHINE, ALL, "127.0.0.1", "/p/abcdefg2/rest/v1/t"))
                .isEqualTo(new Data("abcdefg2", "/rest/v1/t"));
        assertThat(of(ONE_MACHINE, ALL, "127.0.0.1", "/p/abcdefg2")).isEqualTo(new Data("abcdefg2", "/"));
        assertThat(of(ONE_MACHINE, ALL, "127.0.0.1", "/p/" + SupabaseRef.of("abcdefg2") + "/rest/v1/t"))
                .isEqualTo(new Data("abcdefg2", "/rest/v1/t"));
        assertThat(of(ONE_MACHINE, ALL, "127.0.0.1", "/p/abcdefghijklmnopqrst/rest/v1/t"))
                .isInstanceOf(Control.class);
        assertThat(of(ONE_MACHINE, ALL, "abcdefg2.localhost", "/p/abcdefg2/rest/v1/t"))
                .isEqualTo(new Data("abcdefg2", "/p/abcdefg2/rest/v1/t"));
        assertThat(of(ONE_MACHINE, ALL, "[::1]", "/status")).isInstanceOf(Control.class);
    }

    @Test
    void aPlaneThatIsNotServedHereIsNowhere() {
        assertThat(of(PRODUCTION, Set.of(ServerRole.DATA), "api.svc.example", "/v1/projects"))
                .isInstanceOf(Nowhere.class);
        assertThat(of(PRODUCTION, Set.of(ServerRole.CONTROL), "abcdefg2.data.example", "/rest/v1/t"))
                .isInstanceOf(Nowhere.class);
    }
}
