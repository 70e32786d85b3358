package svc.database.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The printable form of a statement has no secret, however the statement was put together. */
class SqlFragmentTest {
    private static final SqlFragment ALTER = SqlFragment.of("ALTER ROLE r PASSWORD ");
    private static final Literal SECRET = Literal.secret("hush");

    @Test
    void whatIsAppendedStaysSecret() {
        SqlFragment statement = ALTER.append(SECRET).append(" VALID UNTIL ").append(Literal.of("infinity"));

        assertThat(statement.sql()).isEqualTo("ALTER ROLE r PASSWORD 'hush' VALID UNTIL 'infinity'");
        assertThat(statement.printable()).isEqualTo("ALTER ROLE r PASSWORD '***' VALID UNTIL 'infinity'");
        assertThat(SqlFragment.of("").append(statement).printable()).isEqualTo(statement.printable());
    }

    @Test
    void whatIsJoinedStaysSecret() {
        SqlFragment joined = SqlFragment.join(",", List.of(Identifier.of("a"), SqlFragment.of(SECRET), ALTER));

        assertThat(joined.sql()).isEqualTo("\"a\",'hush',ALTER ROLE r PASSWORD ");
        assertThat(joined.printable())
                .isEqualTo("\"a\",'***',ALTER ROLE r PASSWORD ")
                .isEqualTo(joined.toString());
        assertThat(SqlFragment.of(Identifier.of("s").dot(Identifier.of("t"))).secret())
                .isFalse();
    }

    @Test
    void aNameIsMeasuredInBytesOfUtf8() {
        assertThat(Identifier.fits("a".repeat(63))).isTrue();
        assertThat(Identifier.fits("é".repeat(31))).isTrue();
        assertThat(Identifier.fits("é".repeat(32))).isFalse();
        assertThat(Identifier.fits("漢".repeat(21))).isTrue();
        assertThat(Identifier.fits("漢".repeat(22))).isFalse();
        assertThat(Identifier.fits("😀".repeat(15))).isTrue();
        assertThat(Identifier.fits("😀".repeat(16))).isFalse();
        assertThat(Identifier.fits("😀".substring(0, 1))).isFalse();
        assertThat(Identifier.fits("a\0")).isFalse();
    }
}
