package svc.operator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.database.key.MasterKeys;

/** A master key that cannot be used stops the start, in words that do not repeat it. */
class MasterKeyRingTest {
    private static final String GOOD = Base64.getEncoder().encodeToString(new byte[32]);

    @Test
    void theHighestVersionIsTheNewest(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), GOOD + "\n");

        MasterKeys keys = read(Map.of("svc.master-keys.1.value", GOOD, "svc.master-keys.7.file", file.toString()));

        assertThat(keys.newest().version()).isEqualTo(7);
        assertThat(keys.version(1)).isPresent();
    }

    @Test
    void withoutAKeyNothingStarts() {
        assertThatThrownBy(() -> read(Map.of())).hasMessageContaining("svc.master-keys.1.file");
    }

    @Test
    void aKeyThatIsNotBase64OrTooShortIsNamedByVersionOnly() {
        assertThatThrownBy(() -> read(Map.of("svc.master-keys.3.value", "p@ss word")))
                .hasMessage("master key 3 is not base64")
                .hasNoCause();
        assertThatThrownBy(() -> read(Map.of("svc.master-keys.3.value", "c2hvcnQ=")))
                .hasMessage("master key 3 has fewer than 32 bytes");
    }

    @Test
    void bothWaysAtOnceAreRefused() {
        assertThatThrownBy(() -> read(Map.of("svc.master-keys.1.value", GOOD, "svc.master-keys.1.file", "/key")))
                .hasMessageContaining("exactly one");
    }

    private static MasterKeys read(Map<String, String> config) {
        return MasterKeyRing.read(PlainOperatorConfig.of(config).masterKeys());
    }
}
