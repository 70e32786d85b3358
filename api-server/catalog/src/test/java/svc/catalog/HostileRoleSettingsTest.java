package svc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import svc.postgres.Isolation;
import svc.postgres.Setting;

/** Role settings of an untrusted server are limited in number and length, and never fail a load. */
class HostileRoleSettingsTest {
    @Test
    void whatIsNoSettingIsLeftOut() {
        ImpersonatedRoleSettings settings = ImpersonatedRoleSettings.of(List.of(
                "",
                "=",
                "=x",
                "work_mem",
                "Role=postgres",
                "transaction_read_only=off",
                "client_encoding=LATIN1",
                "work_mem=" + "9".repeat(5000),
                "default_transaction_isolation=as you like",
                "TimeZone=a=b"));
        assertThat(settings.settings()).containsExactly(new Setting("TimeZone", "a=b"));
        assertThat(settings.isolation()).isEqualTo(Isolation.READ_COMMITTED);
    }

    @Test
    void thereAreNotMoreThanARequestCanCarry() {
        ImpersonatedRoleSettings settings = ImpersonatedRoleSettings.of(
                IntStream.range(0, 10_000).mapToObj(i -> "a" + i + "=b").toList());
        assertThat(settings.settings()).hasSize(50);
    }
}
