package svc.operator.project.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecret.Login;
import svc.operator.project.connection.ConnectionSecret.Unusable;

/** Promise: a connection Secret is parsed completely, or all its errors are reported. */
class ConnectionSecretTest {
    private static final Map<String, String> ALL = Map.of(
            "host", "db.example",
            "port", "6432",
            "dbname", "shop",
            "user", "authenticator",
            "password", "s3cr:t/@?",
            "sslmode", "require",
            "owner-user", "migrator",
            "owner-password", "other");

    @Test
    void readsAllOfIt() {
        var complete = (Complete) read(ALL);
        assertThat(complete.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example:6432/shop?sslmode=require");
        assertThat(complete.login()).isEqualTo(new Login("authenticator", "s3cr:t/@?"));
        assertThat(complete.owner()).contains(new Login("migrator", "other"));
        assertThat(complete.toString()).doesNotContain("s3cr", "other");
    }

    @Test
    void takesWhatCloudNativePgWritesAndLibpqsDefaults() {
        var complete = (Complete) read(Map.of(
                "host", "shop-rw", "dbname", "app", "username", "app", "password", "x", "uri", "postgresql://…"));
        assertThat(complete.jdbcUrl()).isEqualTo("jdbc:postgresql://shop-rw:5432/app?sslmode=prefer");
        assertThat(complete.login().user()).isEqualTo("app");
        assertThat(complete.owner()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host | '' | host is missing",
                "host | a/b?user=x | host is invalid",
                "host | a,b | host is invalid",
                "port | http | port is invalid",
                "port | 70000 | port is out of range",
                "dbname | a?ssl=x | dbname is invalid",
                "user | '' | user is missing",
                "password | '' | password is missing",
                "sslmode | maybe | sslmode is none of allow, disable, prefer, require, verify-ca, verify-full",
                "owner-password | '' | owner-password is missing",
                "owner-user | '' | owner-user is missing",
            })
    void namesEveryInvalidKey(String key, String value, String expected) {
        var values = new HashMap<>(ALL);
        values.put(key, value);
        assertThat(((Unusable) read(values)).why()).isEqualTo(expected);
    }

    /** They would make the status longer than the API takes, or PostgreSQL would read less than what is written. */
    @ParameterizedTest
    @CsvSource({"user, 64, 63", "owner-user, 64, 63", "password, 65536, 65535", "ca.crt, 65537, 65536"})
    void refusesWhatIsTooLong(String key, int length, int max) {
        var values = new HashMap<>(ALL);
        values.put("sslmode", "verify-full");
        values.put(key, "x".repeat(length));
        assertThat(((Unusable) read(values)).why()).startsWith(key + " is longer than " + max + " bytes");
    }

    @Test
    void namesAllMissingKeysTogether() {
        assertThat(((Unusable) read(Map.of())).why())
                .isEqualTo("host is missing; dbname is missing; user is missing; password is missing");
    }

    private static ConnectionSecret read(Map<String, String> values) {
        var data = new HashMap<String, String>();
        values.forEach((key, value) ->
                data.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return ConnectionSecret.of(new SecretBuilder().withData(data).build());
    }
}
