package svc.database.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifierTest {
    @Test
    void isAlwaysQuoted() {
        assertThat(Identifier.of("user").sql()).isEqualTo("\"user\"");
        assertThat(Identifier.of("a\"; DROP TABLE b; --").sql()).isEqualTo("\"a\"\"; DROP TABLE b; --\"");
    }

    @Test
    void countsBytesOfUtf8() {
        assertThat(Identifier.of("é".repeat(31) + "a").name()).hasSize(32);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Identifier.of("é".repeat(32)))
                .withMessageContaining("64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b", "\ud800"})
    void refusesWhatPostgresqlCannotHold(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Identifier.of(name));
    }

    @Test
    void qualifiedNamesQuoteBothParts() {
        assertThat(Identifier.of("a.b").dot(Identifier.of("c")).sql()).isEqualTo("\"a.b\".\"c\"");
    }
}
