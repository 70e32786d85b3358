package svc.database.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeySeparationTest {
    private static final UUID ID = new UUID(1, 2);

    private static MasterKey master(int version, int fill) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) fill);
        return MasterKey.of(version, secret);
    }

    private static Incarnation incarnation(int fill) {
        byte[] bytes = new byte[Incarnation.BYTES];
        Arrays.fill(bytes, (byte) fill);
        return Incarnation.of(bytes);
    }

    /** All that a project derives under a master key. */
    private static List<String> everything(MasterKey master, ProjectKeyScope scope) {
        List<String> all = new ArrayList<>();
        for (Purpose purpose : Purpose.values()) {
            all.add(master.root(purpose).export());
            if (!purpose.ofPlatform()) {
                all.add(master.root(purpose).leaf(scope).export());
            }
            purpose.role().ifPresent(role -> {
                LoginSecret login = LoginSecret.of(master.root(purpose).leaf(scope));
                all.add(login.password());
                all.add(login.scramVerifier());
            });
        }
        all.add(ApiKey.of(master.root(Purpose.ANON_KEY).leaf(scope)));
        all.add(ApiKey.of(master.root(Purpose.SERVICE_KEY).leaf(scope)));
        all.add(SigningKey.of(master.root(Purpose.SIGNING).leaf(scope)).keyId());
        return all;
    }

    @Test
    void purposesShareNothing() {
        assertThat(everything(master(1, 1), new ProjectKeyScope(ID, incarnation(1), 1)))
                .doesNotHaveDuplicates();
    }

    @Test
    void anotherProjectIncarnationOrVersionHasOtherLeaves() {
        MasterKey master = master(1, 1);
        List<String> leaves = new ArrayList<>();
        for (ProjectKeyScope scope : List.of(
                new ProjectKeyScope(ID, incarnation(1), 1),
                new ProjectKeyScope(new UUID(2, 1), incarnation(1), 1),
                new ProjectKeyScope(ID, incarnation(2), 1),
                new ProjectKeyScope(ID, incarnation(1), 2))) {
            for (Purpose purpose : Purpose.values()) {
                if (!purpose.ofPlatform()) {
                    leaves.add(master.root(purpose).leaf(scope).export());
                }
            }
        }
        assertThat(leaves).doesNotHaveDuplicates();
    }

    @Test
    void anotherMasterKeyOrMasterVersionHasOtherEverything() {
        ProjectKeyScope scope = new ProjectKeyScope(ID, incarnation(1), 1);
        List<String> all = new ArrayList<>(everything(master(1, 1), scope));
        all.addAll(everything(master(1, 2), scope));
        all.addAll(everything(master(2, 1), scope));
        assertThat(all).doesNotHaveDuplicates();
    }

    @Test
    void aRootMakesKeysOfItsOwnPurposeOnly() {
        ProjectKeyScope scope = new ProjectKeyScope(ID, incarnation(1), 1);
        DerivedKey api = master(1, 1).root(Purpose.API).leaf(scope);
        assertThatIllegalArgumentException().isThrownBy(() -> ApiKey.of(api));
        assertThatIllegalArgumentException().isThrownBy(() -> SigningKey.of(api));
        assertThatIllegalArgumentException().isThrownBy(() -> ChannelName.of(api));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> LoginSecret.of(master(1, 1).root(Purpose.SIGNING).leaf(scope)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master(1, 1).root(Purpose.CHANNEL).leaf(scope));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master(1, 1).root(Purpose.API).platformLeaf(1));
    }

    @Test
    void secretsAreNotPrintedAndExportsAreReadBack() {
        PurposeRoot root = master(3, 1).root(Purpose.ANON_KEY);
        DerivedKey leaf = root.leaf(new ProjectKeyScope(ID, incarnation(1), 1));
        assertThat(PurposeRoot.parse(root.export())).contains(root);
        assertThat(DerivedKey.parse(leaf.export())).contains(leaf);
        assertThat(PurposeRoot.parse(leaf.export())).isEmpty();
        assertThat(PurposeRoot.parse(root.export().replace("anon-key", "service-key")))
                .isEmpty();
        assertThat(root.toString() + leaf + master(3, 1))
                .isEqualTo("PurposeRoot[ANON_KEY, master key 3]DerivedKey[ANON_KEY]MasterKey[version=3]");
    }

    @Test
    void theNewestMasterKeyIsTheHighestVersion() {
        MasterKeys keys = MasterKeys.of(List.of(master(2, 2), master(10, 10), master(1, 1)));
        assertThat(keys.newest().version()).isEqualTo(10);
        assertThat(keys.version(2)).isPresent();
        assertThat(keys.version(3)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> MasterKeys.of(List.of(master(1, 1), master(1, 2))));
        assertThatIllegalArgumentException().isThrownBy(() -> MasterKeys.of(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> MasterKey.of(1, new byte[31]));
    }
}
