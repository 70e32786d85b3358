package svc.database.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlTemplateTest {
    private final SqlTemplate template = SqlTemplate.of("ALTER ROLE :\"role\" PASSWORD :'password' :{rest}::text");

    @Test
    void fillsPlacesByTypeAndLeavesCastsAlone() {
        SqlFragment sql = template.bind(Map.of(
                "role", Identifier.of("r\"x"), "password", Literal.secret("it's"), "rest", SqlFragment.of("NOLOGIN")));
        assertThat(sql.sql()).isEqualTo("ALTER ROLE \"r\"\"x\" PASSWORD 'it''s' NOLOGIN::text");
    }

    @Test
    void aSecretIsSentAndNeverPrinted() {
        SqlFragment sql = template.bind(
                Map.of("role", Identifier.of("r"), "password", Literal.secret("hush"), "rest", SqlFragment.empty()));
        SqlFragment joined = SqlFragment.join(";", List.of(sql, sql)).append(sql);
        assertThat(joined.sql()).contains("hush");
        assertThat(joined.toString()).doesNotContain("hush").contains("'***'");
    }

    @Test
    void refusesAValueOfAnotherTypeAndMissingOrSurplusOnes() {
        SqlTemplate one = SqlTemplate.of("SELECT :'x'");
        assertThatIllegalArgumentException().isThrownBy(() -> one.bind(Map.of("x", Identifier.of("a"))));
        assertThatIllegalArgumentException().isThrownBy(() -> one.bind(Map.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> one.bind(Map.of("x", Literal.of(1), "y", Literal.of(2))));
    }

    @Test
    void aBoundValueIsNotReadAsATemplateAgain() {
        SqlFragment sql =
                SqlTemplate.of("SELECT :'x', :'y'").bind(Map.of("x", Literal.of(":'y'"), "y", Literal.of("b")));
        assertThat(sql.sql()).isEqualTo("SELECT ':''y''', 'b'");
    }
}
