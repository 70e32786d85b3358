package svc.management.postgres.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinaryValuesTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "16|boolean|t",
                "21|smallint|-32768",
                "23|integer|2147483647",
                "20|bigint|-9223372036854775808",
                "26|oid|4294967295",
                "701|double precision|1.5",
                "701|double precision|NaN",
                "1700|numeric|0",
                "1700|numeric|0.00",
                "1700|numeric|-12345.678900",
                "1700|numeric|0.0001",
                "1700|numeric|100000000",
                "1700|numeric|1000000000000.00000000000000000000",
                "1700|numeric|0.000000000000000000000000000001",
                "1700|numeric|NaN",
                "1700|numeric|-Infinity",
                "25|text|ä😀",
                "3802|jsonb|{\"a\": 1}",
                "2950|uuid|00000000-0000-4000-8000-000000000001",
                "17|bytea|\\x00ff",
                "1082|date|2030-01-31",
                "1082|date|0044-03-15 BC",
                "1082|date|infinity",
                "1114|timestamp without time zone|2030-01-31 12:34:56.789",
                "1184|timestamp with time zone|-infinity",
                "1184|timestamp with time zone|1999-12-31 23:59:59+00",
                "1007|integer[]|{\"1\",NULL,\"3\"}",
                "1007|integer[]|{{\"1\",\"2\"},{\"3\",\"4\"}}",
                "1009|text[]|{\"a b\",\"\\\"\"}",
                "1009|text[]|{}"
            })
    void aValueSurvivesBothWays(int oid, String type, String text) {
        byte[] binary = BinaryValues.encode(oid, bytes(text)).orElseThrow();
        assertThat(BinaryValues.decode(type, binary)).hasValue(text);
    }

    @Test
    void timesWithAnOffsetAreTheSameInstant() {
        assertThat(BinaryValues.encode(1184, bytes("2000-01-01 05:30:00+05:30")).orElseThrow())
                .isEqualTo(new byte[8]);
    }

    @Test
    void numericHasPostgresBytes() {
        assertThat(HexFormat.of()
                        .formatHex(BinaryValues.encode(1700, bytes("12345.67")).orElseThrow()))
                .isEqualTo("0003" + "0001" + "0000" + "0002" + "0001" + "0929" + "1a2c");
    }

    @Test
    void bytesThatAreNoValueAreRefused() {
        byte[] braces = ByteBuffer.allocate(12 + 16)
                .putInt(2)
                .putInt(0)
                .putInt(23)
                .putInt(Integer.MAX_VALUE)
                .putInt(1)
                .putInt(0)
                .putInt(1)
                .array();
        assertThatThrownBy(() -> BinaryValues.decode("integer[]", braces)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> BinaryValues.decode("integer", new byte[3])).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> BinaryValues.decode("integer", new byte[5])).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> BinaryValues.decode("numeric", new byte[] {0x7f, -1, 0, 0, 0, 0, 0, 0}))
                .isInstanceOf(InvalidValueException.class);
        assertThat(BinaryValues.decode("interval", new byte[16])).isEmpty();
        assertThat(BinaryValues.encode(1700, bytes("no number"))).isEmpty();
        assertThat(BinaryValues.encode(1114, bytes("31.01.2030"))).isEmpty();
    }

    /** Otherwise an array of two megabytes would stand for gigabytes of text. */
    @Test
    void aFewBytesAreNoManyZeros() {
        byte[] whole = HexFormat.of().parseHex("0001" + "7fff" + "0000" + "0000" + "0001");
        byte[] fraction = HexFormat.of().parseHex("0000" + "0000" + "0000" + "3fff");
        for (byte[] value : new byte[][] {whole, fraction}) {
            assertThat(BinaryValues.decode("numeric", value)).isEmpty();
            ByteBuffer array = ByteBuffer.allocate(20 + 4 + value.length)
                    .putInt(1)
                    .putInt(0)
                    .putInt(1700)
                    .putInt(1)
                    .putInt(1)
                    .putInt(value.length)
                    .put(value);
            assertThat(BinaryValues.decode("numeric[]", array.array())).isEmpty();
        }
        byte[] longOne = BinaryValues.encode(1700, bytes("1".repeat(5000))).orElseThrow();
        assertThat(BinaryValues.decode("numeric", longOne)).hasValue("1".repeat(5000));
    }
}
