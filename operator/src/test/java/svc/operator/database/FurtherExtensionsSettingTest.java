package svc.operator.database;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import svc.operator.testing.TestingPostgres;

/** The setting svc.operator.extensions names reviewed extensions only. */
class FurtherExtensionsSettingTest {
    private static DatabaseBootstraps with(String... extensions) {
        return new DatabaseBootstraps(List.of(), "main", TestingPostgres.masterKeys(), Set.of(extensions));
    }

    @Test
    void othersEndTheStart() {
        assertThatCode(() -> with("postgis")).doesNotThrowAnyException();
        assertThatThrownBy(() -> with("postgis", "pg_cron"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("svc.operator.extensions")
                .hasMessageEndingWith("it may name postgis only");
    }
}
