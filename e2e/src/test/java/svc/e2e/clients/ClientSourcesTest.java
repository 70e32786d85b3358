package svc.e2e.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.CommandLine;

/** The unit tests of the client package and of the command line, on Node.js; their format and their lint, by Deno. */
class ClientSourcesTest {
    private final CommandLine programs = new CommandLine(CommandLine.clients(), Map.of());

    @ParameterizedTest
    @ValueSource(strings = {"js", "cli"})
    void theUnitTestsPass(String workspace) throws Exception {
        var ended = programs.run(List.of("npm", "test", "--silent", "--workspace", workspace), "");
        assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.out()).containsPattern("# pass [1-9]").contains("# fail 0");
    }

    @Test
    void theSourcesAreFormatted() throws IOException {
        deno("fmt", "--check");
    }

    @Test
    void theSourcesPassTheLint() throws IOException {
        deno("lint");
    }

    private void deno(String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of(Deno.program()));
        all.addAll(List.of(words));
        all.addAll(List.of("--config", "deno.json", "js", "cli"));
        var ended = programs.run(all, "");
        assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    }

    /** The Deno of the sandbox. */
    static final class Deno {
        private Deno() {}

        static String program() {
            return PlatformCommand.root()
                    .resolve("sandbox/node_modules/@deno/linux-x64-glibc/deno")
                    .toString();
        }
    }
}
