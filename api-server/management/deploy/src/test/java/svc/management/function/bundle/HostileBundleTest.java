package svc.management.function.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.budget.SharedPlaces.Caller;

/** Nothing that a function says makes its bundling read a file, reach another host, or take another's turn for long. */
class HostileBundleTest {
    private static TestingRegistry registry;
    private static TestingBundler bundler;

    @BeforeAll
    static void start() {
        registry = new TestingRegistry();
        bundler = TestingBundler.with(registry);
    }

    @AfterAll
    static void stop() {
        bundler.close();
        registry.close();
    }

    /** Whatever a test did to a bundler, the next function is bundled. */
    @AfterEach
    void theNextFunctionIsBundled() {
        assertThat(bundler.code("export default () => new Response('next');")).contains("next");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "FILE:///etc/passwd",
                "data:text/javascript,export default 1",
                "blob:http://127.0.0.1/x",
                "http://169.254.169.254/latest/meta-data/",
                "https://evil.example/x.ts",
                "http://esm.sh/x",
                "https://esm.sh@evil.example/x",
                "https://user:pass@esm.sh/x",
                "https://esm.sh:8443/x",
                "ftp://esm.sh/x",
                "javascript:1",
                "../../etc/passwd",
                "../../../../../../etc/passwd",
                "/etc/passwd",
                "//evil.example/x.ts",
                "svc:///etc/passwd",
                "deno:x",
                "wss://esm.sh/x"
            })
    void whatLeadsElsewhereIsRefused(String specifier) {
        String source = List.of(
                        "import x from '%s'; console.log(x);",
                        "export * from '%s';",
                        "await import('%s');",
                        "import y from '%s' with { type: 'text' }; console.log(y);",
                        "require('%s');")
                .stream()
                .map(form -> form.formatted(specifier))
                .collect(Collectors.joining("\n"));

        BundleResult result = bundler.bundle(source, Map.of());

        assertThat(result).isInstanceOf(BundleResult.Refused.class);
        // Of the two that are alike the compiler tells one.
        assertThat(((BundleResult.Refused) result).faults()).hasSize(4).allSatisfy(fault -> {
            assertThat(fault.kind()).isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
            assertThat(fault.file()).contains("index.ts");
            assertThat(fault.message()).doesNotContain("root:");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "./..%2f..%2f..%2fetc/passwd",
                "./..%5c..%5cetc",
                "./%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                "./a\\\\..\\\\..\\\\etc",
                "./%00.ts",
                "./x.ts%00",
                "npm:../../etc/passwd",
                "npm:/../x",
                "npm:x@../../y",
                "jsr:@a/../../b",
                "node:../../etc/passwd",
                "./__proto__",
                "./constructor"
            })
    void trickyPathsNameNothing(String specifier) {
        BundleFault fault = bundler.fault("import x from '" + specifier + "'; export default x;", Map.of("x.ts", ""));

        assertThat(fault.kind())
                .as(fault.toString())
                .isIn(BundleFault.Kind.IMPORT_FAILED, BundleFault.Kind.IMPORT_FORBIDDEN);
    }

    @Test
    void importMapsLeadNowhereElse() {
        for (String target : List.of(
                "file:///etc/passwd",
                "http://127.0.0.1:1/x.ts",
                "https://evil.example/",
                "data:text/javascript,1",
                "../../../etc/passwd")) {
            for (String file : List.of("deno.json", "import_map.json")) {
                BundleFault fault = bundler.fault(
                        "import x from 'x'; export default x;",
                        Map.of(file, "{\"imports\":{\"x\":\"" + target + "\"}}"));

                assertThat(fault.kind()).as(target).isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
            }
        }
        assertThat(bundler.fault("export default 1;", Map.of("deno.json", "{\"importMap\":\"file:///etc/passwd\"}"))
                        .kind())
                .isEqualTo(BundleFault.Kind.IMPORT_MAP);
        assertThat(bundler.fault("export default 1;", Map.of("deno.json", "{\"importMap\":\"../../../etc/passwd\"}"))
                        .kind())
                .isEqualTo(BundleFault.Kind.IMPORT_MAP);
        assertThat(bundler.fault("export default 1;", Map.of("deno.json", "{\"imports\":{\"__proto__\":7}}"))
                        .kind())
                .isEqualTo(BundleFault.Kind.IMPORT_MAP);
    }

    @Test
    void filesWithOddNamesAreFilesLikeOthers() {
        String code = bundler.code(
                "import { a } from './__proto__'; import { b } from './constructor.ts'; import { c } from './naïve file.ts';"
                        + " export default () => new Response(a + b + c);",
                Map.of(
                        "__proto__.ts", "",
                        "constructor.ts", "export const b = 'constructor'",
                        "naïve file.ts", "export const c = 'space'",
                        "deno.json", "{\"imports\":{\"./__proto__\":\"./__proto__.js\"}}",
                        "__proto__.js", "export const a = 'proto'"));

        assertThat(code).contains("constructor").contains("space").contains("proto");
    }

    @Test
    void aRedirectToAnotherHostIsRefused() {
        registry.redirect("/away.ts", "https://evil.example/x.ts")
                .redirect("/meta.ts", "http://169.254.169.254/latest")
                .redirect("/file.ts", "file:///etc/passwd")
                .redirect("/loop.ts", "/loop.ts");

        for (String path : List.of("/away.ts", "/meta.ts", "/file.ts")) {
            BundleFault fault = bundler.fault("import '" + registry.origin() + path + "';");
            assertThat(fault.kind()).as(path).isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
            assertThat(fault.message()).contains("redirects elsewhere");
        }
        assertThat(bundler.fault("import '" + registry.origin() + "/loop.ts';").kind())
                .isEqualTo(BundleFault.Kind.IMPORT_FAILED);
    }

    @Test
    void aModuleFromARegistryDoesNotReadTheFunctionsFiles() {
        registry.module("/spy.ts", "export { secret } from 'svc:///functions/hello/secret.ts';")
                .module("/spy2.ts", "export * from 'file:///etc/passwd';");

        for (String path : List.of("/spy.ts", "/spy2.ts")) {
            assertThat(bundler.fault(
                                    "export * from '" + registry.origin() + path + "';",
                                    Map.of("secret.ts", "export const secret = 1;"))
                            .kind())
                    .isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
        }
    }

    /** An allowed name that leads to a private address; the permission of the process sees the address itself. */
    @Test
    void aRegistryWithAPrivateAddressIsNotReached() {
        String origin = "http://localhost:" + registry.port();
        int before = registry.asked().size();
        try (TestingBundler guarded =
                new TestingBundler(TestingBundler.Settings.of(registry).publicOnly(List.of(origin)))) {
            BundleFault fault = guarded.fault("import '" + origin + "/x.ts';");

            assertThat(fault.kind()).as(fault.toString()).isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
            assertThat(registry.asked()).hasSize(before);
        }
    }

    @Test
    void packagesFollowNoLinksAndAreChecked() {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        archive.writeBytes(TestingRegistry.entry(
                "package/package.json", '0', "{\"main\":\"passwd\"}".getBytes(StandardCharsets.UTF_8)));
        byte[] link = TestingRegistry.entry("package/passwd", '2', new byte[0]);
        System.arraycopy("/etc/passwd".getBytes(StandardCharsets.UTF_8), 0, link, 157, 11);
        archive.writeBytes(link);
        registry.npmArchive("linked", "1.0.0", TestingRegistry.gzip(archive.toByteArray()), true)
                .npmArchive("forged", "1.0.0", TestingRegistry.gzip(archive.toByteArray()), false)
                .npm("climber", "1.0.0", "{\"main\":\"../../../etc/passwd\"}", Map.of("index.js", ""))
                .npm("outside", "1.0.0", "{\"main\":\"a.js\"}", Map.of("a.js", "require('file:///etc/passwd')"));

        assertThat(bundler.fault("import x from 'npm:linked'; export default x;")
                        .message())
                .contains("has no file passwd");
        assertThat(bundler.fault("import x from 'npm:forged'; export default x;")
                        .message())
                .contains("checksum");
        assertThat(bundler.fault("import x from 'npm:climber'; export default x;")
                        .message())
                .contains("has no file etc/passwd");
        assertThat(bundler.fault("import x from 'npm:outside'; export default x;")
                        .kind())
                .isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
    }

    @Test
    void aPackageThatUnpacksToMuchIsRefused() {
        byte[] much = TestingRegistry.entry("package/zero.js", '0', new byte[80 << 20]);
        registry.npmArchive("bomb", "1.0.0", TestingRegistry.gzip(much), true);

        assertThat(bundler.fault("import x from 'npm:bomb'; export default x;").kind())
                .isEqualTo(BundleFault.Kind.TOO_LARGE);
    }

    @Test
    void importsThatNeverEndAreRefused() {
        try (var growing = new TestingRegistry().pausing(Duration.ofMillis(5));
                var patient =
                        new TestingBundler(TestingBundler.Settings.of(growing).withTime(Duration.ofMinutes(2)))) {
            // Each module imports the next two: the number of modules doubles at each step.
            IntStream.range(1, 4_200)
                    .forEach(n -> growing.module(
                            "/grow/" + n + ".ts", "import './" + 2 * n + ".ts'; import './" + (2 * n + 1) + ".ts';"));
            BundleFault fault = patient.fault("import '" + growing.origin() + "/grow/1.ts';");

            assertThat(fault.kind()).as(fault.toString()).isEqualTo(BundleFault.Kind.TOO_LARGE);
            // A thousand at a time time out on a busy machine, and the registry is then said to be away.
            assertThat(growing.mostAtOnce()).isLessThanOrEqualTo(32);
        }
    }

    @Test
    void circlesOfImportsAreNoMatter() {
        assertThat(bundler.code(
                        "import { a } from './a.ts'; export const b = 1; export default () => new Response(String(a));",
                        Map.of("a.ts", "import { b } from './index.ts'; export const a = () => b;")))
                .contains("default");
    }

    @Test
    void aRegistryThatNeverAnswersEndsWithTheTime() {
        registry.silent("/never.ts");
        try (TestingBundler hurried =
                new TestingBundler(TestingBundler.Settings.of(registry).withTime(Duration.ofSeconds(10)))) {
            BundleFault fault = hurried.fault("import '" + registry.origin() + "/never.ts';");

            assertThat(fault.kind()).isEqualTo(BundleFault.Kind.TOO_COSTLY);
            assertThat(hurried.code("export default () => new Response('still');"))
                    .contains("still");
        }
    }

    @Test
    void deepAndHugeSourcesTakeNoOtherAlong() {
        String deep = "export default " + "[".repeat(3_000_000) + "]".repeat(3_000_000) + ";";
        String types = "type T = " + "Array<".repeat(200_000) + "1" + ">".repeat(200_000) + "; export default 1;";
        String huge = "export default '" + "x".repeat(9_000_000) + "';";

        for (String source : List.of(deep, types)) {
            assertThat(bundler.bundle(source, Map.of())).isNotInstanceOf(BundleResult.Busy.class);
        }
        assertThat(bundler.code(huge)).hasSizeGreaterThan(9_000_000);
    }

    @Test
    void manyFilesAreBundledOrRefused() {
        Map<String, String> files = IntStream.range(0, 3_100)
                .boxed()
                .collect(Collectors.toMap(
                        n -> "f" + n + ".ts", n -> "export const f" + n + " = " + n + ";", (a, b) -> a, TreeMap::new));
        String source =
                files.keySet().stream().map(f -> "import './" + f + "';").collect(Collectors.joining());

        // A slow machine takes longer for the first 3,000 than a bundle may.
        try (var patient =
                new TestingBundler(TestingBundler.Settings.of(registry).withTime(Duration.ofMinutes(2)))) {
            assertThat(patient.fault(source, files).kind()).isEqualTo(BundleFault.Kind.TOO_LARGE);
        }
    }

    @Test
    void callersBeyondTheQueueAreRefused() {
        registry.silent("/slow.ts");
        try (TestingBundler small = new TestingBundler(
                TestingBundler.Settings.of(registry).withQueue(1).withTime(Duration.ofSeconds(4)))) {
            List<CompletableFuture<BundleResult>> calls = IntStream.range(0, 5)
                    .mapToObj(n -> CompletableFuture.supplyAsync(
                            () -> small.bundle("import '" + registry.origin() + "/slow.ts';", Map.of()),
                            task -> Thread.ofVirtual().start(task)))
                    .toList();

            assertThat(calls.stream().map(CompletableFuture::join).filter(BundleResult.Busy.class::isInstance))
                    .hasSizeGreaterThanOrEqualTo(3);
        }
    }

    /** One organisation's projects deploy more than there are places and waiting callers; its neighbour deploys meanwhile. */
    @Test
    void aFloodOfOneOrganizationKeepsNoOtherWaitingForLong() {
        registry.silent("/flood.ts");
        String slow = "import '" + registry.origin() + "/flood.ts';";
        try (TestingBundler shared = new TestingBundler(TestingBundler.Settings.of(registry)
                .withBundlers(2)
                .withQueue(2)
                .withTime(Duration.ofSeconds(10)))) {
            List<CompletableFuture<BundleResult>> flood = IntStream.range(0, 12)
                    .mapToObj(n -> CompletableFuture.supplyAsync(
                            () -> shared.bundle(new Caller("flood", "project " + n % 3), slow, Map.of()),
                            task -> Thread.ofVirtual().start(task)))
                    .toList();
            Awaitility.await().until(() -> registry.asked().contains("/flood.ts"));

            BundleResult neighbour = shared.bundle(
                    new Caller("neighbour", "quiet"), "export default () => new Response('quiet');", Map.of());

            assertThat(TestingBundler.codeOf(neighbour)).contains("quiet");
            assertThat(flood).anyMatch(call -> !call.isDone());
        }
    }

    @Test
    void faultsNeverNameTheMachine() {
        BundleResult result = bundler.bundle(new BundleRequest(
                "hello",
                "index.ts",
                "import './a.ts'; import './b.json'; let let = 1;",
                Map.of("a.ts", "§", "b.json", "{"),
                Optional.empty()));

        assertThat(((BundleResult.Refused) result).faults())
                .allSatisfy(fault -> assertThat(fault.text())
                        .doesNotContain("/tmp")
                        .doesNotContain("svc:")
                        .doesNotContain("/functions"));
    }
}
