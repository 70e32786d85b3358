package svc.management.postgres.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.platform.problem.ProblemException;

/** Bytes that are no value of their type are refused with PostgreSQL's codes (its functions {@code …recv}). */
class BoundValueTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Times: 2^62, one microsecond beyond 24 hours, a negative one.
                "time without time zone|4000000000000000|22008",
                "time without time zone|000000141dd76001|22008",
                "time without time zone|ffffffffffffffff|22008",
                "time without time zone|00000000|22P03",
                // Dates before 4714-11-24 BC, and after 5874897-12-31.
                "date|ffda97a6|22008",
                "date|7fda970d|22008",
                "timestamp without time zone|fd0f7cc1411f9fff|22008",
                "timestamp without time zone|7fffff5bb3b2a000|22008",
                "timestamp with time zone|7fffff5bb3b2a000|22008",
                // Numeric: sign, scale, digit, length, digits of NaN, digits behind the scale, bytes behind the digits.
                "numeric|0001000010000000002a|22P03",
                "numeric|0001000000004000002a|22P03",
                "numeric|00010000000000002710|22P03",
                "numeric|00020000000000000001|22P03",
                "numeric|ffff0000000000000001|22P03",
                "numeric|00000000c0000000002a|22P03",
                "numeric|00010000c00000002710|22P03",
                "numeric|00020000000000000001ffff|22P03",
                "numeric|000000|22P03",
                "boolean|0101|22P03",
                "boolean||22P03",
                "integer|000000|22P03",
                "integer|0000000000|22P03",
                "bigint|00000001|22P03",
                "uuid|00|22P03",
                "jsonb|027b7d|22P03",
                // Text that is no UTF-8, and U+0000.
                "text|ff|22021",
                "text|c3|22021",
                "text|6100|22021",
                "jsonb|01ff|22021",
                "json|eda080|22021",
                // Arrays: flags, dimensions, lengths, an element longer than the array, bytes behind it, a bad element.
                "integer[]|000000010000000200000017000000010000000100000004000000ff|22P03",
                "integer[]|ffffffff0000000000000017|22P03",
                "integer[]|00000001000000000000001700000001|22P03",
                "integer[]|000000010000000000000017ffffffff00000001|22P03",
                "integer[]|0000000100000000000000170000000100000001000000080000|22P03",
                "integer[]|00000001000000000000001700000001000000010000000400000001ff|22P03",
                "integer[]|000000010000000000000017000000010000000100000003000001|22P03",
                "integer[]|000000070000000000000017|54000",
                "integer[]|000000000000000000000019|42804",
                "time without time zone[]|00000001000000000000043b0000000100000001000000084000000000000000|22008"
            })
    void bytesThatAreNoValueAreRefused(String type, String hex, String sqlState) {
        var value = new BoundValue(0, true, HexFormat.of().parseHex(hex == null ? "" : hex));
        assertThatThrownBy(() -> value.text(type))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().members()).containsEntry("sqlstate", sqlState));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time without time zone|0000000000000000|00:00",
                "time without time zone|000000141dd76000|24:00:00",
                "date|ffda97a7|4714-11-24 BC",
                "date|7fda970c|5874897-12-31",
                "timestamp without time zone|fd0f7cc1411fa000|4714-11-24 00:00 BC",
                "numeric|00010000000000001e61|7777",
                "numeric|00000000c0000000|NaN",
                "numeric|00010000400000011e61|-7777.0",
                "boolean|02|t",
                "integer[]|000000000000000100000017|{}",
                "integer[]|0000000100000000000000170000000000000001|{}"
            })
    void theLastValueOfATypeIsRead(String type, String hex, String text) {
        assertThat(new BoundValue(0, true, HexFormat.of().parseHex(hex)).text(type))
                .hasValue(text);
    }

    @Test
    void aTypeThatIsNotReadInThisFormatSaysSo() {
        var value = new BoundValue(0, true, new byte[16]);
        assertThatThrownBy(() -> value.text("interval"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().members()).containsEntry("sqlstate", "0A000"));
    }

    @Test
    void textOfTheTextFormatIsCheckedAsWell() {
        assertThat(new BoundValue(0, false, "ä".getBytes(StandardCharsets.UTF_8)).text("text"))
                .hasValue("ä");
        assertThatThrownBy(() -> new BoundValue(0, false, new byte[] {(byte) 0xff}).text("text"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().members()).containsEntry("sqlstate", "22021"));
    }
}
