package svc.database.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The key of a vault is one project's, under each master key that the process has. */
class VaultKeyTest {
    private static final PurposeRoot FIRST = master(1).root(Purpose.VAULT);
    private static final PurposeRoot SECOND = master(2).root(Purpose.VAULT);

    private static MasterKey master(int version) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) version);
        return MasterKey.of(version, bytes);
    }

    private static ProjectKeyScope scope(long project, int keyVersion) {
        return new ProjectKeyScope(new UUID(0, project), Incarnation.of(new byte[Incarnation.BYTES]), keyVersion);
    }

    @Test
    void theNewestComesFirst() {
        String both = VaultKey.of(List.of(FIRST, SECOND), scope(1, 1));

        assertThat(both).matches("2:[0-9a-f]{64},1:[0-9a-f]{64}");
        assertThat(both).endsWith(VaultKey.of(List.of(FIRST), scope(1, 1)));
        assertThat(VaultKey.of(List.of(), scope(1, 1))).isEmpty();
    }

    @Test
    void itIsTheProjectsAndNoLoginsVersionChangesIt() {
        assertThat(VaultKey.of(List.of(FIRST), scope(1, 7))).isEqualTo(VaultKey.of(List.of(FIRST), scope(1, 1)));
        assertThat(VaultKey.of(List.of(FIRST), scope(2, 1))).isNotEqualTo(VaultKey.of(List.of(FIRST), scope(1, 1)));
    }
}
