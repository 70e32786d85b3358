package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartupSettingsTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-c jit=off", "-cjit=off --statement-timeout=5s", "-c search_path=public"})
    void settingsOfTheClientAreOptions(String options) {
        assertThat(StartupSettings.areSettings(options)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c role=other", "-c search_path=auth", "-c jit", "-e", "-c jit=off -E", "-c svc.x=1"})
    void othersAreNot(String options) {
        assertThat(StartupSettings.areSettings(options)).isFalse();
    }

    @Test
    void aBackslashKeepsABlank() {
        assertThat(StartupSettings.of(Map.of("options", "-c app.name=a\\ b", "user", "x", "database", "y")))
                .containsExactly(new LocalStatement.Setting("app.name", Optional.of("a b"), false, "SET"));
    }
}
