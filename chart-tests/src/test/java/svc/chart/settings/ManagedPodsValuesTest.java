package svc.chart.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;
import svc.operator.config.ManagedPodsReader;
import svc.operator.config.OperatorConfig;
import svc.operator.pod.ManagedPods;
import svc.operator.pod.NameServers;
import svc.operator.pod.PodSettings;

/** The values {@code managedPods} reach the pods that the operator makes, through its own reader and its validation. */
class ManagedPodsValuesTest {
    private static final int ORDINAL = 300;

    static List<Path> sets() {
        return Chart.valueSets();
    }

    /** An upgrade with the values of before restarts no function. */
    @ParameterizedTest
    @MethodSource("sets")
    void theDefaultsOfTheChartAreThoseOfTheOperator(Path values) {
        assertThat(read(Chart.render(values)).settings()).isEqualTo(PodSettings.DEFAULTS);
    }

    @Test
    void eachValueIsASetting() {
        ManagedPods pods = read("""
                imagePullSecrets: [{name: registry}, {name: mirror}]
                runtimeClassName: gvisor
                priorityClassName: functions
                nodeSelector: {pool: functions}
                tolerations: [{key: pool, operator: Equal, value: functions, effect: NoSchedule}]
                affinity: {podAntiAffinity: {}}
                topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]
                dnsTo: [{ipBlock: {cidr: 169.254.20.10/32}}]
                dnsPort: 5353
                ephemeralStorage: {request: 32Mi, limit: 128Mi}
                maxResources: {cpu: "2", memory: 1Gi}
                """);

        PodSettings settings = pods.settings();
        assertThat(settings.imagePullSecrets()).containsExactly("registry", "mirror");
        assertThat(settings.runtimeClass()).contains("gvisor");
        assertThat(settings.priorityClass()).contains("functions");
        assertThat(settings.placement().nodeSelector()).isEqualTo(Map.of("pool", "functions"));
        assertThat(settings.placement().tolerations())
                .singleElement()
                .satisfies(toleration -> assertThat(toleration.getValue()).isEqualTo("functions"));
        assertThat(settings.placement().affinity().orElseThrow().getPodAntiAffinity())
                .isNotNull();
        assertThat(settings.placement().topologySpreadConstraints()).hasSize(1);
        assertThat(settings.storage().limit()).contains(new Quantity("128Mi"));
        assertThat(settings.storage().request()).contains(new Quantity("32Mi"));
        assertThat(pods.nameServers().port()).isEqualTo(5353);
        assertThat(pods.nameServers().peers()).hasSize(1);
        assertThat(pods.ceiling().cpu()).contains(new Quantity("2"));
        assertThat(pods.ceiling().memory()).contains(new Quantity("1Gi"));
    }

    /** docs/install.md: OpenShift assigns a user of the namespace's range, and refuses any other. */
    @Test
    void aUserThatIsNullIsTheClustersToChoose() {
        var pod = read("podSecurityContext: {runAsUser: null, runAsGroup: null}")
                .settings()
                .confinement()
                .pod();

        assertThat(pod.getRunAsUser()).isNull();
        assertThat(pod.getRunAsGroup()).isNull();
        assertThat(pod.getRunAsNonRoot()).isTrue();
        assertThat(pod.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    }

    @Test
    void theNameServersOfThePlatformAreThoseOfItsPods() {
        NameServers servers = read(Chart.render(Chart.valueSet("closed"))).nameServers();

        assertThat(servers.peers())
                .singleElement()
                .satisfies(peer ->
                        assertThat(peer.getPodSelector().getMatchLabels()).isEqualTo(Map.of("k8s-app", "kube-dns")));
        assertThat(servers.digest()).isNotEqualTo(Optional.empty());
    }

    private static ManagedPods read(String managedPods) {
        ObjectNode values = Yaml.read(Chart.valueSet("default"));
        values.set("managedPods", Yaml.parse(managedPods));
        return read(Rendering.of(Chart.text(values)));
    }

    private static ManagedPods read(Rendering rendering) {
        return ManagedPodsReader.read(new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withSources(new EnvConfigSource(SettingsAreKeysTest.environment(rendering, "operator"), ORDINAL))
                .withMapping(OperatorConfig.class)
                .withDefaultValue("smallrye.config.mapping.validate-unknown", "false")
                .build()
                .getConfigMapping(OperatorConfig.class)
                .managedPods());
    }
}
