package svc.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import svc.database.key.MasterKey;
import svc.database.key.Purpose;

class SecretsOfEachRoleTest {
    private static final byte[] SECRET = "thirty-two bytes of a master key".getBytes(StandardCharsets.UTF_8);

    private static ApiConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withMapping(ApiConfig.class)
                .withDefaultValues(settings)
                .addDiscoveredConverters()
                .build()
                .getConfigMapping(ApiConfig.class);
    }

    private static PurposeRoots withMaster(Set<ServerRole> roles) {
        String text = Base64.getEncoder().encodeToString(SECRET);
        return PurposeRoots.of(
                roles, config(Map.of("svc.api.keys.master.1", text)).keys());
    }

    @Test
    void aDataPlaneNeverHasTheOwnersRoot() {
        PurposeRoots roots = withMaster(Set.of(ServerRole.DATA));

        assertThat(roots.purposes()).isEqualTo(ServerRole.DATA.purposes());
        assertThat(roots.purposes())
                .doesNotContain(
                        Purpose.OWNER, Purpose.LOGIN_OPERATOR, Purpose.LOGIN_PLATFORM, Purpose.LOGIN_EXTENSIONS);
    }

    @Test
    void noRoleHasTheOperatorsLogin() {
        for (ServerRole role : ServerRole.values()) {
            assertThat(role.purposes()).doesNotContain(Purpose.LOGIN_OPERATOR);
        }
    }

    @Test
    void aRootThatIsHandedInByMistakeIsNotKept() {
        MasterKey master = MasterKey.of(1, SECRET);
        String both = master.root(Purpose.OWNER).export() + ","
                + master.root(Purpose.ANON_KEY).export();

        PurposeRoots roots = PurposeRoots.of(
                Set.of(ServerRole.DATA),
                config(Map.of("svc.api.keys.roots", both)).keys());

        assertThat(roots.purposes()).containsExactly(Purpose.ANON_KEY);
        assertThat(roots.require(Purpose.ANON_KEY, 1)).isEqualTo(master.root(Purpose.ANON_KEY));
    }

    @Test
    void whatCannotBeReadIsNamedAndNotShown() {
        assertThatThrownBy(() -> PurposeRoots.of(
                        Set.of(ServerRole.DATA),
                        config(Map.of("svc.api.keys.roots", "svc_root_mistyped"))
                                .keys()))
                .hasMessageContaining("svc.api.keys.roots")
                .hasMessageNotContaining("mistyped");
        assertThatThrownBy(() -> PurposeRoots.of(
                        Set.of(ServerRole.DATA),
                        config(Map.of("svc.api.keys.master.1", "c2hvcnQ=")).keys()))
                .hasMessageContaining("svc.api.keys.master.1")
                .hasMessageNotContaining("c2hvcnQ");
    }

    @Test
    void theDefaults() {
        ApiConfig config = config(Map.of());

        assertThat(config.roles()).containsExactlyInAnyOrder(ServerRole.CONTROL, ServerRole.DATA);
        assertThat(config.hosts().domain()).isEqualTo("localhost");
        assertThat(config.hosts().data()).isEqualTo("localhost");
        assertThat(config.hosts().pathStyle()).isFalse();
        assertThat(config.hosts().loopbackControl()).isFalse();
        assertThat(config.hosts().control()).isEmpty();
        assertThat(config.hosts().baseUrl()).isEqualTo("http://api.localhost:8000/v1");
        assertThat(config.limits().controlBody().asLongValue()).isEqualTo(2L << 20);
        assertThat(config.limits().dataBody().asLongValue()).isEqualTo(16L << 20);
        assertThat(config.keys().master()).isEmpty();
        assertThat(config.keys().roots()).isEmpty();
        assertThat(config.platform().url()).isEmpty();
        assertThat(config.platform().password()).isEmpty();
        assertThat(config.projects().namespace()).isEqualTo("svc");
        assertThat(config.projects().watch()).isEmpty();
        assertThat(config.projects().readyWait()).hasSeconds(20);
        assertThat(config.tokens().admin()).isEmpty();
        assertThat(config.tokens().ciLifetime()).hasDays(90);
    }
}
