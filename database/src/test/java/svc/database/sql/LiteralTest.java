package svc.database.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LiteralTest {
    @Test
    void quotesAndBackslashesCannotEndALiteral() {
        assertThat(Literal.of("a'b").sql()).isEqualTo("'a''b'");
        assertThat(Literal.of("a\\'b").sql()).isEqualTo(" E'a\\\\''b'");
        assertThat(Literal.of("").sql()).isEqualTo("''");
    }

    @Test
    void numbersBytesAndTruthValues() {
        assertThat(Literal.of(-5).sql()).isEqualTo("(-5)");
        assertThat(Literal.of(true).sql()).isEqualTo("true");
        assertThat(Literal.of(new byte[] {0, (byte) 0xff}).sql()).isEqualTo("E'\\\\x00ff'::bytea");
    }

    @Test
    void refusesNul() {
        assertThatIllegalArgumentException().isThrownBy(() -> Literal.of("a\0"));
    }
}
