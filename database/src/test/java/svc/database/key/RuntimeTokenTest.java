package svc.database.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class RuntimeTokenTest {
    private static final MasterKey MASTER = MasterKey.of(1, new byte[32]);

    private static DerivedKey leaf(Purpose purpose, long project) {
        return MASTER.root(purpose)
                .leaf(new ProjectKeyScope(new UUID(0, project), Incarnation.of(new byte[Incarnation.BYTES]), 1));
    }

    @Test
    void opensItsOwnFunctionOnly() {
        DerivedKey leaf = leaf(Purpose.FUNCTION_RUNTIME, 1);
        String token = RuntimeToken.of(leaf, "hello");
        assertThat(token).startsWith("svc_fnrt_");
        assertThat(RuntimeToken.matches(token, leaf, "hello")).isTrue();
        assertThat(RuntimeToken.matches(token, leaf, "Hello")).isFalse();
        assertThat(RuntimeToken.matches(token, leaf(Purpose.FUNCTION_RUNTIME, 2), "hello"))
                .isFalse();
        assertThat(RuntimeToken.matches(token + "x", leaf, "hello")).isFalse();
        assertThat(RuntimeToken.matches("", leaf, "hello")).isFalse();
    }

    @Test
    void digestsTellWhetherAValueChangedOnly() {
        DerivedKey leaf = leaf(Purpose.FUNCTION_RUNTIME, 1);
        assertThat(RuntimeToken.valueDigest(leaf, "hello/KEY", "v"))
                .matches("hmac:[0-9a-f]{64}")
                .isEqualTo(RuntimeToken.valueDigest(leaf, "hello/KEY", "v"))
                .isNotEqualTo(RuntimeToken.valueDigest(leaf, "hello/KEY", "w"))
                .isNotEqualTo(RuntimeToken.valueDigest(leaf, "hello/OTHER", "v"))
                .isNotEqualTo(RuntimeToken.valueDigest(leaf(Purpose.FUNCTION_RUNTIME, 2), "hello/KEY", "v"));
    }

    @Test
    void isMadeOfItsOwnPurposeOnly() {
        DerivedKey api = leaf(Purpose.API, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> RuntimeToken.of(api, "hello"));
        assertThatIllegalArgumentException().isThrownBy(() -> RuntimeToken.valueDigest(api, "hello/KEY", "v"));
    }
}
