package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.log.LogQuery;
import svc.embedded.kubernetes.log.PodLog;

/** Only lines with the key are the platform's, whatever else is written between, before and inside of them. */
class OutputReaderTest {
    private static final String KEY = "0123456789abcdef";

    private final PodLog log = new PodLog();
    private final List<JsonNode> own = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();

    @Test
    void linesWithoutTheKeyAreWhatAFunctionSaid() {
        read("{\"event\":\"error\"}\nplain\n" + KEY + "{\"event\":\"boot\"}\nlast");
        assertThat(own)
                .singleElement()
                .satisfies(line -> assertThat(line.path("event").asText()).isEqualTo("boot"));
        assertThat(foreign).containsExactly("{\"event\":\"error\"}", "plain", "last");
        assertThat(log.read(LogQuery.ALL))
                .hasSize(4)
                .filteredOn(line -> line.contains("\"log\""))
                .hasSize(3);
    }

    @Test
    void aLineOfOursThatWasCutInTwoNeitherCountsNorShowsTheKey() {
        read(KEY + "{\"event\":\"boot\",\"mess\nage\":\"ready\"}\n");
        assertThat(own).isEmpty();
        assertThat(log.read(LogQuery.ALL)).noneMatch(line -> line.contains(KEY));
    }

    @Test
    void aLineWithoutAnEndIsCutAndDoesNotGrow() {
        read("x".repeat(200_000) + "\n" + KEY + "{\"event\":\"boot\"}\n");
        assertThat(foreign).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 65_536);
        assertThat(own).hasSize(1);
    }

    private void read(String output) {
        new OutputReader(KEY, log, own::add, foreign::add)
                .read(new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8)));
    }
}
