package svc.platform.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.management.ManagementFactory;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** Bodies with ever new names fill no table that all requests share. */
class ForeignJsonTest {
    private static final Pattern ENTRIES = Pattern.compile("Number of entries\\s*:\\s*(\\d+)");
    private static final int BODIES = 100;
    private static final int NAMES = 20;
    private static final int LONG = 20_000;
    private static final long NAMES_BYTES = (long) BODIES * NAMES * LONG;

    private final ObjectMapper json = ForeignJson.mapper();

    private void read(String prefix, int width) throws JsonProcessingException {
        for (int body = 0; body < BODIES; body++) {
            String start = prefix + body + "-";
            json.readTree(IntStream.range(0, NAMES)
                    .mapToObj(name -> '"' + start + name + "x".repeat(width) + "\":1")
                    .collect(Collectors.joining(",", "{", "}")));
        }
    }

    @Test
    void namesAreNotKept() throws JsonProcessingException {
        long before = used();

        read("long", LONG);

        assertThat(used() - before).as("of %d bytes of names", NAMES_BYTES).isLessThan(NAMES_BYTES / 2);
    }

    @Test
    void namesAreNotInterned() throws Exception {
        long before = interned();

        read("short", 10);

        assertThat(interned() - before).isLessThan(BODIES * NAMES / 2);
    }

    @Test
    void whatIsNotUtf8IsRefused() throws CharacterCodingException {
        assertThat(ForeignJson.text(new byte[] {'{', '}'})).isEqualTo("{}");
        for (byte[] wrong :
                new byte[][] {{(byte) 0xff}, {(byte) 0xc0, (byte) 0xaf}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}}) {
            assertThatThrownBy(() -> ForeignJson.text(wrong)).isInstanceOf(CharacterCodingException.class);
        }
    }

    /** Bytes that are reachable. */
    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Of the JVM's own table of strings. */
    private static long interned() throws Exception {
        System.gc();
        String table = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmStringtable",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Matcher entries = ENTRIES.matcher(table);
        assertThat(entries.find()).as(table).isTrue();
        return Long.parseLong(entries.group(1));
    }
}
