package svc.management.function.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The files of a function become one module, and a fault is reported at its place in them. */
class BundleFunctionTest {
    private static final String HANDLER = "export default (request: Request) => new Response(greeting);";
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

    @Test
    void typesAreTakenAwayAndFilesAreTakenIn() {
        String code = bundler.code(
                "import { greeting } from './text.ts'; import data from './data.json' with { type: 'json' };"
                        + " export default (request: Request): Response => new Response(greeting + data.a);",
                Map.of("text.ts", "export const greeting: string = 'hello';", "data.json", "{\"a\": 17}"));

        assertThat(code)
                .contains("\"hello\"")
                .contains("17")
                .doesNotContain(": Request")
                .doesNotContain("import ");
    }

    @Test
    void theSharedFolderIsFoundFromEitherPlace() {
        for (String from : new String[] {"../_shared/cors.ts", "./_shared/cors.ts"}) {
            String code = bundler.code(
                    "import { greeting } from '" + from + "';" + HANDLER,
                    Map.of(
                            "_shared/cors.ts", "import { deep } from './deep/x.ts'; export const greeting = deep;",
                            "_shared/deep/x.ts", "export const deep = 'from the shared folder';"));

            assertThat(code).contains("from the shared folder");
        }
    }

    @Test
    void aSharedFolderMayHaveAnyName() {
        Map<String, String> above = Map.of(
                "../lib/words.ts", "import { deep } from '../common/deep.ts'; export const greeting = deep;",
                "../common/deep.ts", "export const deep = 'from another folder';");
        Map<String, String> beside = Map.of(
                "lib/words.ts", "import { deep } from '../common/deep.ts'; export const greeting = deep;",
                "functions/common/deep.ts", "export const deep = 'from another folder';");
        for (Map<String, String> files : List.of(above, beside)) {
            assertThat(bundler.code("import { greeting } from '../lib/words.ts';" + HANDLER, files))
                    .contains("from another folder");
        }

        assertThat(bundler.fault("import { x } from '../lib/word.ts'; export default x;", above)
                        .message())
                .startsWith("There is no file ../lib/word.ts.");
        assertThat(bundler.fault("import { x } from '../../src/word.ts'; export default x;", above)
                        .kind())
                .isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
    }

    /** Packages such as whatwg-url, below node-fetch 2, require {@code "../lib//URL-impl.js"}. */
    @Test
    void severalSlashesInThePathOfAPackagesFileAreOne() {
        registry.npm(
                "slashes",
                "1.0.0",
                "{\"main\":\".//lib//index.js\"}",
                Map.of(
                        "lib/index.js", "exports.greeting = require('..//lib//inner.js') + require('.//inner');",
                        "lib/inner.js", "module.exports = 'one slash';"));

        assertThat(bundler.code("import { greeting } from 'npm:slashes@1';" + HANDLER))
                .contains("one slash");
    }

    @Test
    void anAddressOfTheWebThatCannotBeReadNamesThePackage() {
        Map<String, String> instead = Map.of(
                "https://unpkg.com/zod@3.23.8/lib/index.mjs", "Use npm:zod@3.23.8 instead.",
                "https://cdn.jsdelivr.net/npm/@scope/name/+esm", "Use npm:@scope/name instead.",
                "https://deno.land/std@0.168.0/http/server.ts", "Use the global Deno.serve instead.",
                "https://deno.land/std@0.224.0/data_structures/mod.ts", "Use jsr:@std/data-structures instead.",
                "https://deno.land/x/zod@v3.22.4/mod.ts", "Use npm:zod instead.");
        instead.forEach((address, words) -> {
            BundleFault fault = bundler.fault("import x from '" + address + "'; export default x;");
            assertThat(fault.kind()).as(address).isEqualTo(BundleFault.Kind.IMPORT_FORBIDDEN);
            assertThat(fault.message()).as(address).contains(words);
        });
    }

    /** Supabase's templates begin with such an import, which its deno.json maps to JSR. */
    @Test
    void declarationsOfTypesAreNotRead() {
        String code = bundler.code(
                "import '@supabase/functions-js/edge-runtime.d.ts'; import type { T } from './types.d.ts';"
                        + " const greeting: T = 'no types'; " + HANDLER,
                Map.of("deno.json", "{\"imports\": {\"@supabase/functions-js\": \"jsr:@supabase/functions-js@^2\"}}"));

        assertThat(code).contains("no types");
        assertThat(registry.asked()).noneMatch(path -> path.contains("functions-js"));
    }

    @Test
    void jsxIsCompiledAsTheFileOrDenoJsonSays() {
        registry.module("/preact/jsx-runtime", "export const jsx = () => 'the runtime';");

        BundleResult pragma = bundler.bundle(new BundleRequest(
                "page",
                "index.tsx",
                "/** @jsxImportSource " + registry.origin()
                        + "/preact */\nexport default () => new Response(<p>x</p>);",
                Map.of(),
                Optional.empty()));
        BundleResult config = bundler.bundle(new BundleRequest(
                "page",
                "index.tsx",
                "export default () => new Response(<p>x</p>);",
                Map.of(
                        "deno.json",
                        "{ // comments are allowed\n\"compilerOptions\": {\"jsx\": \"react-jsx\", \"jsxImportSource\": \"preact\"},"
                                + "\"imports\": {\"preact/\": \"" + registry.origin() + "/preact/\"},}"),
                Optional.empty()));

        assertThat(TestingBundler.codeOf(pragma)).contains("the runtime");
        assertThat(TestingBundler.codeOf(config)).contains("the runtime");
    }

    @Test
    void importMapsAreFoundByNameOrByDenoJson() {
        Map<String, String> files = Map.of(
                "maps/map.json", "{\"imports\": {\"greet\": \"../words/greet.ts\", \"words/\": \"../words/\"}}",
                "words/greet.ts", "export const greeting = 'mapped';",
                "deno.json", "{\"importMap\": \"./maps/map.json\"}");

        String named = TestingBundler.codeOf(bundler.bundle(new BundleRequest(
                "hello",
                "index.ts",
                "import { greeting } from 'greet';" + HANDLER,
                files,
                Optional.of("maps/map.json"))));
        String found = bundler.code("import { greeting } from 'words/greet.ts';" + HANDLER, files);

        assertThat(named).contains("mapped");
        assertThat(found).contains("mapped");
    }

    @Test
    void modulesOfRegistriesAreTakenInWithWhatTheyImport() {
        registry.module("/lib@1/mod.ts", "export { greeting } from './inner.ts';")
                .module("/lib@1/inner.ts", "export const greeting: string = 'from afar';")
                .redirect("/lib/mod.ts", "/lib@1/mod.ts");

        assertThat(bundler.code("import { greeting } from '" + registry.origin() + "/lib/mod.ts';" + HANDLER))
                .contains("from afar");
    }

    @Test
    void packagesOfJsrAreResolvedByVersion() {
        registry.serve(
                        "/@std/text/meta.json",
                        200,
                        "application/json",
                        utf8("{\"versions\":{\"1.0.0\":{},\"1.2.0\":{},\"1.3.0\":{\"yanked\":true},\"2.0.0\":{}}}"))
                .serve(
                        "/@std/text/1.2.0_meta.json",
                        200,
                        "application/json",
                        utf8("{\"exports\":{\".\":\"./mod.ts\",\"./case\":\"./case.ts\"}}"))
                .module("/@std/text/1.2.0/case.ts", "export const greeting: string = 'jsr 1.2';");

        assertThat(bundler.code("import { greeting } from 'jsr:@std/text@^1/case';" + HANDLER))
                .contains("jsr 1.2");
        assertThat(bundler.fault("import { x } from 'jsr:@std/text@^1/nope'; export default x;")
                        .text())
                .contains("has no entry point")
                .contains("./case");
    }

    @Test
    void packagesOfNpmBringTheirDependencies() {
        registry.npm(
                        "greet",
                        "1.4.0",
                        "{\"main\":\"lib/index.js\",\"dependencies\":{\"@words/hello\":\"^2.0.0\"}}",
                        Map.of(
                                "lib/index.js",
                                "const fs = require('fs'); const hello = require('@words/hello');"
                                        + " let extra = ''; try { extra = require('not-there'); } catch {}"
                                        + " exports.greeting = hello.default + typeof fs.readFileSync + extra;"))
                .npm(
                        "@words/hello",
                        "2.1.0",
                        "{\"exports\":{\".\":{\"import\":\"./m.mjs\",\"require\":\"./c.cjs\"}}}",
                        Map.of("m.mjs", "export default 'module'", "c.cjs", "exports.default = 'common';"));

        String code = bundler.code("import { greeting } from 'npm:greet@^1.2';" + HANDLER);

        assertThat(code).contains("\"common\"").contains("from \"node:fs\"").contains("MODULE_NOT_FOUND");
        assertThat(bundler.fault("import x from 'npm:greet@7'; export default x;")
                        .message())
                .isEqualTo("npm:greet has no version 7.");
        assertThat(bundler.fault("import x from 'npm:nobody'; export default x;")
                        .message())
                .isEqualTo("There is no package npm:nobody.");
    }

    @Test
    void theSameFunctionBecomesTheSameBytes() {
        Map<String, String> files = Map.of("a.ts", "export const greeting = 'a';", "b.ts", "export const b = 2;");
        String source = "import { b } from './b.ts'; import { greeting } from './a.ts'; console.log(b);" + HANDLER;

        try (TestingBundler other = TestingBundler.with(registry)) {
            assertThat(other.code(source, files)).isEqualTo(bundler.code(source, files));
        }
    }

    @Test
    void faultsAreReportedAtTheUsersOwnPlaces() {
        BundleFault syntax = bundler.fault(
                "import './lib/part.ts';\nexport default 1;", Map.of("lib/part.ts", "const ä = 'ö';\n  const = 3;"));
        BundleFault missing =
                bundler.fault("export default 1;\nimport { a } from './part';\nconsole.log(a);", Map.of("part.ts", ""));
        BundleFault name =
                bundler.fault("import { a } from './part.ts';\nconsole.log(a);", Map.of("part.ts", "export {}"));
        BundleFault bare = bundler.fault("import x from 'zod'; export default x;");

        assertThat(syntax.kind()).isEqualTo(BundleFault.Kind.SYNTAX);
        assertThat(syntax.file()).contains("lib/part.ts");
        assertThat(syntax.line()).isEqualTo(OptionalInt.of(2));
        assertThat(syntax.column()).isEqualTo(OptionalInt.of(9));
        assertThat(missing.kind()).isEqualTo(BundleFault.Kind.IMPORT_FAILED);
        assertThat(missing.text()).startsWith("index.ts:2:19: ").contains("There is part.ts");
        assertThat(name.text()).startsWith("index.ts:1:10: ").contains("No matching export");
        assertThat(bare.message()).contains("npm:zod");
    }

    @Test
    void aRegistryThatIsAwayIsAFaultThatPasses() {
        registry.serve("/away.ts", 503, "text/plain", utf8("later"));

        BundleResult result = bundler.bundle("import '" + registry.origin() + "/away.ts';", Map.of());

        assertThat(TestingBundler.faultOf(result).kind()).isEqualTo(BundleFault.Kind.UNREACHABLE);
        assertThat(((BundleResult.Refused) result).isPassing()).isTrue();
    }

    /** The public registry: this test sends it a few requests when it can be reached. */
    @Test
    void supabasesClientIsBundledFromThePublicRegistry() {
        assumeThat(isReachable("registry.npmjs.org"))
                .as("registry.npmjs.org cannot be reached from here")
                .isTrue();
        try (TestingBundler open =
                new TestingBundler(TestingBundler.Settings.of(registry).withNpm("https://registry.npmjs.org"))) {
            String code = open.code("import { createClient } from 'npm:@supabase/supabase-js@2';"
                    + " const client = createClient('http://x', 'y');"
                    + " export default () => new Response(typeof client.from);");

            assertThat(DryBootTest.boot(code)).isEmpty();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isReachable(String host) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, 443), 2_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
