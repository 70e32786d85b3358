package svc.operator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.operator.pod.ManagedPods;

/** Settings of managed pods are validated when the operator starts, not when each function is reconciled. */
class ManagedPodsReaderTest {
    @Test
    void withoutSettingsTheyAreTheDefaults() {
        assertThat(ManagedPodsReader.read(PlainOperatorConfig.of(Map.of()).managedPods()))
                .isEqualTo(ManagedPods.DEFAULTS);
        assertThat(ManagedPods.DEFAULTS.settings().digest()).isEmpty();
        assertThat(ManagedPods.DEFAULTS.nameServers().digest()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "pod-security-context | {\"runAsNonRoot\": true, \"runAsUser\": 65532, \"runAsGroup\": 65532, \"seccompProfile\": {\"type\": \"RuntimeDefault\"}}",
                "container-security-context | {\"allowPrivilegeEscalation\": false, \"readOnlyRootFilesystem\": true, \"runAsNonRoot\": true, \"capabilities\": {\"drop\": [\"ALL\"]}}",
                "tolerations | []",
                "topology-spread-constraints | []",
                "node-selector | {}",
                "dns-to | []",
                "dns-port | 53",
            })
    void theDefaultsInWordsAreTheDefaults(String key, String value) {
        assertThat(read(key, value)).isEqualTo(ManagedPods.DEFAULTS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tolerations | [{\"key\": \"pool\", \"effct\": \"NoSchedule\"}] | Kubernetes has no field effct there",
                "tolerations | {\"key\": \"pool\"} | not JSON of the type that Kubernetes has for it",
                "tolerations | [{\"key\": \"pool\", \"effect\": \"Never\"}] | effect must be NoSchedule, PreferNoSchedule or NoExecute, not Never",
                "tolerations | [{\"operator\": \"Equal\", \"value\": \"x\"}] | a toleration without a key needs the operator Exists",
                "tolerations | [null] | null is no toleration",
                "tolerations | null | null is no value",
                "node-selector | {\"pool\": {\"a\": 1}} | not JSON of the type",
                "node-selector | {\"pool\": null} | every label needs a value",
                "node-selector | {\"pool\": \"a\"} x | not JSON of the type",
                "affinity | {\"nodeAfinity\": {}} | Kubernetes has no field nodeAfinity there",
                "topology-spread-constraints | [{\"maxSkew\": 1, \"whenUnsatisfiable\": \"DoNotSchedule\"}] | topologyKey is missing",
                "topology-spread-constraints | [{\"topologyKey\": \"zone\", \"whenUnsatisfiable\": \"DoNotSchedule\"}] | maxSkew must be a number from 1",
                "topology-spread-constraints | [{\"maxSkew\": 1, \"topologyKey\": \"zone\"}] | whenUnsatisfiable must be DoNotSchedule or ScheduleAnyway",
                "runtime-class | gVisor | \"gVisor\" is no name of an object",
                "priority-class | -low | \"-low\" is no name of an object",
                "image-pull-secrets | ok,a..b | \"a..b\" is no name of an object",
                "dns-to | [{}] | each entry needs selectors or an ipBlock, and not both",
                "dns-to | [{\"ipBlock\": {}}] | ipBlock needs a cidr",
                "dns-port | 0 | it must be a port from 1 to 65535",
                "ephemeral-storage-limit | lots | \"lots\" is no positive amount",
                "ephemeral-storage-limit | -1Gi | \"-1Gi\" is no positive amount",
                "ephemeral-storage-request | 1Gi | must not exceed svc.managed-pods.ephemeral-storage-limit",
                "max-cpu | 0 | \"0\" is no positive amount",
                "max-memory | 1GiB | \"1GiB\" is no positive amount",
            })
    void aMistakeEndsTheStartAndNamesItsKey(String key, String value, String message) {
        assertThatThrownBy(() -> read(key, value))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("svc.managed-pods." + key + ": ")
                .hasMessageContaining(message);
    }

    /** Each lifts one part of what confines code of tenants. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "pod-security-context | {\"runAsNonRoot\": true, \"seccompProfile\": {\"type\": \"Unconfined\"}} | seccompProfile.type must be",
                "pod-security-context | {\"runAsNonRoot\": true} | seccompProfile.type must be",
                "pod-security-context | {\"runAsNonRoot\": true, \"runAsUser\": 0, \"seccompProfile\": {\"type\": \"RuntimeDefault\"}} | runAsUser must not be 0",
                "pod-security-context | {\"seccompProfile\": {\"type\": \"RuntimeDefault\"}, \"sysctls\": [{\"name\": \"a\", \"value\": \"b\"}]} | sysctls must be empty",
                "pod-security-context | {\"seccompProfile\": {\"type\": \"RuntimeDefault\"}, \"appArmorProfile\": {\"type\": \"Unconfined\"}} | appArmorProfile.type",
                "container-security-context | {\"runAsNonRoot\": false, \"allowPrivilegeEscalation\": false, \"capabilities\": {\"drop\": [\"ALL\"]}} | runAsNonRoot must be true",
                "container-security-context | {\"capabilities\": {\"drop\": [\"ALL\"]}} | allowPrivilegeEscalation must be false",
                "container-security-context | {\"allowPrivilegeEscalation\": false} | capabilities must drop ALL",
                "container-security-context | {\"allowPrivilegeEscalation\": false, \"capabilities\": {\"drop\": [\"ALL\"], \"add\": [\"NET_RAW\"]}} | capabilities must drop ALL",
                "container-security-context | {\"allowPrivilegeEscalation\": false, \"privileged\": true, \"capabilities\": {\"drop\": [\"ALL\"]}} | privileged must not be true",
                "container-security-context | {\"allowPrivilegeEscalation\": false, \"procMount\": \"Unmasked\", \"capabilities\": {\"drop\": [\"ALL\"]}} | procMount must be Default",
                "container-security-context | {\"allowPrivilegeEscalation\": false, \"seccompProfile\": {\"type\": \"Unconfined\"}, \"capabilities\": {\"drop\": [\"ALL\"]}} | seccompProfile.type must be",
            })
    void lessThanTheRestrictedStandardIsRefused(String key, String value, String message) {
        assertThatThrownBy(() -> read(key, value))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("svc.managed-pods.")
                .hasMessageContaining(message)
                .hasMessageContaining("restricted Pod Security Standard");
    }

    private static ManagedPods read(String key, String value) {
        return ManagedPodsReader.read(
                PlainOperatorConfig.of(Map.of("svc.managed-pods." + key, value)).managedPods());
    }
}
