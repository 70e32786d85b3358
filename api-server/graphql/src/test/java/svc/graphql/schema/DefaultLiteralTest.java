package svc.graphql.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Default values of parameters, which a tenant declares as long as PostgreSQL allows. */
class DefaultLiteralTest {
    private static final ValueType TEXT = new ValueType.Scalar(ScalarType.STRING);

    @Test
    void aStringIsShownWithoutItsType() {
        assertThat(DefaultLiteral.of("'it''s \"so\"'::text", TEXT)).contains("\"it's \\\"so\\\"\"");
        assertThat(DefaultLiteral.of("'a'::character varying(20)", TEXT)).contains("\"a\"");
        assertThat(DefaultLiteral.of("10", new ValueType.Scalar(ScalarType.INT)))
                .contains("10");
        assertThat(DefaultLiteral.of("lower('a'::text)", TEXT)).isEmpty();
    }

    @Test
    void aStringMayHaveHundredThousandsOfCharacters() {
        String text = "a''b".repeat(100_000);

        assertThat(DefaultLiteral.of("'" + text + "'::text", TEXT)).contains("\"" + "a'b".repeat(100_000) + "\"");
        assertThat(DefaultLiteral.of("'" + text, TEXT)).isEmpty();
    }
}
