package svc.auth.rows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.model.Factor;
import svc.auth.model.Session;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.auth.model.UserTime;

/** Promise: rows become records in one place, and what PostgreSQL can hold never makes a user unreadable. */
class RowMapperTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ID = "6a0f0e6c-6d0e-4b0c-9a3f-0a9f6f3f1c11";
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private static User user(String members) throws JsonProcessingException {
        return RowMapper.user(JSON.readTree("{\"id\":\"" + ID + "\"," + members + "}"));
    }

    @Test
    void nullAndAnEmptyTextAreAbsent() throws Exception {
        User user = user("\"email\":null,\"phone\":\"\",\"email_change\":\"\",\"encrypted_password\":\"\","
                + "\"email_confirmed_at\":null,\"raw_user_meta_data\":null");
        assertThat(user.email()).isEmpty();
        assertThat(user.phone()).isEmpty();
        assertThat(user.passwordHash()).isEmpty();
        assertThat(user.pending().email()).isEmpty();
        assertThat(user.emailConfirmed()).isFalse();
        assertThat(UserJson.of(user).toString())
                .isEqualTo("{\"id\":\"" + ID + "\",\"aud\":\"\",\"role\":\"\",\"email\":\"\",\"phone\":\"\","
                        + "\"app_metadata\":{},\"user_metadata\":{},\"identities\":[],\"is_anonymous\":false}");
    }

    @ParameterizedTest
    @CsvSource({
        "infinity, true",
        "-infinity, false",
        "2026-11-23T12:00:00.000001+00:00, true",
        "2026-11-23T12:00:00+00:00, false",
        "2026-11-23T13:59:59+02:00, false"
    })
    void aBanLastsUntilItsTime(String until, boolean banned) throws Exception {
        assertThat(user("\"banned_until\":\"" + until + "\"").isBanned(NOW)).isEqualTo(banned);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05.12+00:00, 2026-01-02T03:04:05.12Z",
        "2026-01-02T03:04:05+00:00, 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05+02:00, 2026-01-02T03:04:05+02:00",
        "infinity, infinity",
        "10000-01-01T00:00:00+00:00, 10000-01-01T00:00:00Z"
    })
    void aTimeKeepsItsDigits(String column, String json) throws Exception {
        User user = user("\"last_sign_in_at\":\"" + column + "\"");
        assertThat(user.time(UserTime.LAST_SIGN_IN).orElseThrow().json()).isEqualTo(json);
    }

    @Test
    void aSessionWithoutALevelIsOfTheLowest() throws Exception {
        Session session = RowMapper.session(JSON.readTree("{\"id\":\"" + ID + "\",\"user_id\":\"" + ID
                + "\",\"aal\":null,\"refresh_token_counter\":7,\"created_at\":\"2026-01-02T03:04:05+00:00\","
                + "\"amr\":[{\"method\":\"totp\",\"timestamp\":9},{\"method\":\"password\",\"timestamp\":5}]}"));
        assertThat(session.level()).isEqualTo("aal1");
        assertThat(session.refreshCounter()).isEqualTo(7);
        assertThat(session.methods()).containsExactly(new Session.Method("totp", 9), new Session.Method("password", 5));
        assertThat(session.methods().getFirst().isFactor()).isTrue();
        assertThat(session.refreshed()).isEmpty();
    }

    @Test
    void recordsWithSecretsKeepThemOutOfLogs() throws Exception {
        User user = user("\"email\":\"ann@example.com\",\"encrypted_password\":\"$argon2id$v=19\"");
        assertThat(user.toString()).doesNotContain("argon2").doesNotContain("ann");
        Factor factor = RowMapper.factor(JSON.readTree(
                "{\"id\":\"" + ID + "\",\"factor_type\":\"totp\",\"status\":\"verified\",\"secret\":\"1.sealed\"}"));
        assertThat(factor.sealedSecret()).contains("1.sealed");
        assertThat(factor.toString()).doesNotContain("sealed");
    }
}
