package svc.operator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigMappings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every key and default in one place: a change of one must change this test and docs/operator.md. */
class OperatorConfigTest {
    private static final Map<String, String> REQUIRED =
            Map.of("svc.databases.main.jdbc-url", "jdbc:postgresql://db/svc");

    @Test
    void theseAreAllKeys() {
        Set<String> keys = ConfigMappings.getProperties(ConfigMappings.ConfigClass.configClass(OperatorConfig.class))
                .keySet();

        assertThat(keys)
                .containsExactlyInAnyOrder(
                        "svc.master-keys.*.file",
                        "svc.master-keys.*.value",
                        "svc.installation.master-key-secret",
                        "svc.installation.make-master-key",
                        "svc.installation.control-plane-secret",
                        "svc.installation.data-plane-secret",
                        "svc.installation.admin-token-secret",
                        "svc.installation.namespace",
                        "svc.databases.*.jdbc-url",
                        "svc.databases.*.username",
                        "svc.databases.*.password",
                        "svc.databases.*.password-file",
                        "svc.databases.*.pool-max",
                        "svc.platform-database",
                        "svc.data-url",
                        "svc.managed-pods.image-pull-secrets",
                        "svc.managed-pods.image-pull-secrets[*]",
                        "svc.managed-pods.runtime-class",
                        "svc.managed-pods.priority-class",
                        "svc.managed-pods.node-selector",
                        "svc.managed-pods.tolerations",
                        "svc.managed-pods.affinity",
                        "svc.managed-pods.topology-spread-constraints",
                        "svc.managed-pods.pod-security-context",
                        "svc.managed-pods.container-security-context",
                        "svc.managed-pods.dns-to",
                        "svc.managed-pods.dns-port",
                        "svc.managed-pods.ephemeral-storage-request",
                        "svc.managed-pods.ephemeral-storage-limit",
                        "svc.managed-pods.max-cpu",
                        "svc.managed-pods.max-memory",
                        "svc.runtime.gateway-url",
                        "svc.runtime.gateway-namespace",
                        "svc.runtime.closed-networks",
                        "svc.runtime.closed-networks[*]",
                        "svc.project-servers.networks",
                        "svc.project-servers.networks[*]",
                        "svc.project-servers.closed",
                        "svc.project-servers.closed[*]",
                        "svc.operator.function-image",
                        "svc.operator.realtime-image",
                        "svc.realtime-sidecars.*",
                        "svc.operator.drift-interval",
                        "svc.operator.deletion-retry-interval",
                        "svc.operator.retry.initial",
                        "svc.operator.retry.multiplier",
                        "svc.operator.retry.max",
                        "svc.operator.rate-limit.limit",
                        "svc.operator.rate-limit.period",
                        "svc.operator.concurrency",
                        "svc.operator.termination-timeout",
                        "svc.operator.extensions",
                        "svc.operator.extensions[*]",
                        "svc.operator.watch-namespaces",
                        "svc.operator.watch-namespaces[*]",
                        "svc.operator.leader-election.enabled",
                        "svc.operator.leader-election.lease-name",
                        "svc.operator.leader-election.lease-namespace",
                        "svc.operator.leader-election.lease-duration",
                        "svc.operator.leader-election.renew-deadline",
                        "svc.operator.leader-election.renew-period",
                        "svc.operator.leader-election.retry-period",
                        "svc.audit.retention-months",
                        "svc.logs.retention-days",
                        "svc.watch.enabled",
                        "svc.watch.interval",
                        "svc.watch.lock-share",
                        "svc.watch.request-time",
                        "svc.watch.script-time",
                        "svc.watch.maintenance-time",
                        "svc.watch.temporary-files-mb",
                        "svc.watch.processors",
                        "svc.watch.wal-mb-per-minute",
                        "svc.watch.strikes",
                        "svc.watch.strike-window",
                        "svc.watch.stuck",
                        "svc.watch.grace",
                        "svc.crds.apply");
    }

    @Test
    void theseAreTheDefaults() {
        OperatorConfig config = PlainOperatorConfig.of(REQUIRED);

        assertThat(config.masterKeys()).isEmpty();
        assertThat(config.platformDatabase()).isEqualTo("main");
        assertThat(config.dataUrl()).isEqualTo("https://{ref}.data.example");
        assertThat(config.crds().apply()).isFalse();
        assertThat(config.installation().masterKeySecret()).isEmpty();
        assertThat(config.installation().makeMasterKey()).isFalse();
        assertThat(config.installation().namespace()).isEmpty();
        var database = config.databases().get("main");
        assertThat(database.username()).isEqualTo("svc_operator");
        assertThat(database.password()).isEmpty();
        assertThat(database.passwordFile()).isEmpty();
        assertThat(database.poolMax()).isEqualTo(10);
        var operator = config.operator();
        assertThat(operator.driftInterval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(operator.deletionRetryInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(operator.retry().initial()).isEqualTo(Duration.ofSeconds(2));
        assertThat(operator.retry().multiplier()).isEqualTo(2);
        assertThat(operator.retry().max()).isEqualTo(Duration.ofMinutes(5));
        assertThat(operator.rateLimit().limit()).isEqualTo(5);
        assertThat(operator.rateLimit().period()).isEqualTo(Duration.ofSeconds(10));
        assertThat(operator.concurrency()).isEqualTo(4);
        assertThat(operator.terminationTimeout()).isEqualTo(Duration.ofSeconds(25));
        assertThat(operator.watchNamespaces()).isEmpty();
        var watch = config.watch();
        assertThat(watch.enabled()).isTrue();
        assertThat(watch.interval()).isEqualTo(Duration.ofMillis(250));
        assertThat(watch.lockShare()).isEqualTo(0.125);
        assertThat(watch.requestTime()).isEqualTo(Duration.ofSeconds(90));
        assertThat(watch.scriptTime()).isEqualTo(Duration.ofMinutes(6));
        assertThat(watch.maintenanceTime()).isEqualTo(Duration.ofSeconds(10));
        assertThat(watch.temporaryFilesMb()).isEqualTo(4096);
        assertThat(watch.processors()).isEqualTo(1.0);
        assertThat(watch.walMbPerMinute()).isEqualTo(2048);
        assertThat(watch.strikes()).isEqualTo(6);
        assertThat(watch.strikeWindow()).isEqualTo(Duration.ofMinutes(10));
        assertThat(watch.stuck()).isEqualTo(2);
        assertThat(watch.grace()).isEqualTo(Duration.ofSeconds(2));
        assertThat(operator.leaderElection().enabled()).isFalse();
        assertThat(operator.leaderElection().leaseName()).isEqualTo("svc-operator");
        assertThat(operator.leaderElection().leaseNamespace()).isEmpty();
        assertThat(operator.leaderElection().leaseDuration()).isEqualTo(Duration.ofSeconds(15));
        assertThat(operator.leaderElection().renewDeadline()).isEqualTo(Duration.ofSeconds(10));
        assertThat(operator.leaderElection().renewPeriod()).isEmpty();
        assertThat(operator.leaderElection().retryPeriod()).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void aMapHasItsKeysFromTheConfiguration() {
        OperatorConfig config = PlainOperatorConfig.of(Map.of(
                "svc.databases.east.jdbc-url", "jdbc:postgresql://east/svc",
                "svc.databases.west.jdbc-url", "jdbc:postgresql://west/svc",
                "svc.master-keys.2.file", "/keys/2"));

        assertThat(config.databases()).containsOnlyKeys("east", "west");
        assertThat(config.masterKeys().get(2).file()).contains(Path.of("/keys/2"));
    }

    @Test
    void anUnknownKeyIsATypingErrorAndRefused() {
        assertThatThrownBy(() -> PlainOperatorConfig.of(Map.of("svc.operator.drift-intervall", "1m")))
                .hasMessageContaining("drift-intervall");
    }
}
