package svc.management.function.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.platform.process.SandboxHome;

/** The first start of a function tells what only running it can tell, and shows it nothing of ours. */
class DryBootTest {
    private static final DryBoot FIRST_START = firstStart(Duration.ofSeconds(60));
    private static final DryBoot HASTY = firstStart(Duration.ofSeconds(3));

    @AfterAll
    static void forgetCache() {
        FIRST_START.close();
        HASTY.close();
    }

    private static DryBoot firstStart(Duration longest) {
        return new DryBoot(() -> SandboxHome.find(Optional.empty()), longest);
    }

    static Optional<BundleFault> boot(String code) {
        return boot(code, Map.of());
    }

    private static Optional<BundleFault> boot(String code, Map<String, String> environment) {
        return FIRST_START.attempt("hello", code, environment);
    }

    @Test
    void aFunctionWithAHandlerStarts() {
        assertThat(boot("export default () => new Response('x');")).isEmpty();
        assertThat(boot("export default { fetch: () => new Response('x') };")).isEmpty();
        assertThat(boot("Deno.serve(() => new Response('x'));")).isEmpty();
    }

    @Test
    void whatCannotServeIsReported() {
        assertThat(boot("export const a = 1;").orElseThrow().kind()).isEqualTo(BundleFault.Kind.NO_HANDLER);
        BundleFault thrown = boot("\nthrow new Error('not today');").orElseThrow();
        assertThat(thrown.kind()).isEqualTo(BundleFault.Kind.BOOT_FAILED);
        assertThat(thrown.message()).contains("not today");
        assertThat(thrown.line()).hasValue(2);
        assertThat(boot("Deno.exit(0);").orElseThrow().kind()).isEqualTo(BundleFault.Kind.BOOT_FAILED);
    }

    @Test
    void aTopLevelThatNeverEndsIsEnded() {
        for (String code : new String[] {"while (true);", "await new Promise(() => {});"}) {
            assertThat(HASTY.attempt("hello", code, Map.of()).orElseThrow().kind())
                    .isEqualTo(BundleFault.Kind.BOOT_TIMEOUT);
        }
    }

    @Test
    void itsEnvironmentIsItsOwnAndNothingElse() {
        String handler = "export default () => new Response('x');";

        assertThat(boot(
                        "if (Deno.env.get('KEY') !== 'value') throw new Error('not set');" + handler,
                        Map.of("KEY", "value")))
                .isEmpty();
        assertThat(boot("const all = Deno.env.toObject(); if (all.PATH || all.HOME || all.SVC_RUNTIME_BUNDLE)"
                        + " throw new Error(Object.keys(all).join());" + handler))
                .isEmpty();
    }

    @Test
    void aVariableThatTheLinkerListensToReachesTheFunctionAlone() {
        // A program that is started with it prints the linker's help, and nothing else.
        assertThat(boot(
                        "if (Deno.env.get('LD_DEBUG') !== 'help') throw new Error('not set');"
                                + "export default () => new Response('x');",
                        Map.of("LD_DEBUG", "help")))
                .isEmpty();
    }

    @Test
    void itReadsNoFileAndReachesNoNeighbour() {
        for (String attempt : new String[] {
            "await Deno.readTextFile('/etc/passwd')",
            "await Deno.readTextFile('/proc/self/environ')",
            "(await import('node:fs')).readFileSync('/etc/passwd')",
            "await fetch('http://127.0.0.1:9/')",
            "await fetch('http://169.254.169.254/')",
            "new Deno.Command('id').outputSync()",
            "await import('file:///etc/passwd')"
        }) {
            BundleFault fault =
                    boot(attempt + "; export default () => new Response('x');").orElseThrow();
            assertThat(fault.kind()).as(attempt).isEqualTo(BundleFault.Kind.BOOT_FAILED);
        }
    }

    @Test
    void memoryThatGrowsEndsItAlone() {
        BundleFault fault = boot("const all = []; while (true) all.push(new Uint8Array(8 << 20).fill(1));")
                .orElseThrow();

        assertThat(fault.kind()).isEqualTo(BundleFault.Kind.BOOT_FAILED);
    }
}
