package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Valid and invalid paths, names and sizes of a function's files. */
class FunctionSourceTest {
    private static FunctionSource source(Map<String, String> files) {
        return FunctionSource.of("hello", Optional.empty(), "1", files, Optional.empty());
    }

    private static void refused(ProblemCode code, Map<String, String> files) {
        assertThatThrownBy(() -> source(files))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().code())
                                .as(files.keySet().toString())
                                .isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource({
        "util.ts,util.ts",
        "./lib/util.ts,lib/util.ts",
        "_shared/cors.ts,_shared/cors.ts",
        "../_shared/cors.ts,_shared/cors.ts",
        "functions/_shared/cors.ts,_shared/cors.ts",
        "supabase/functions/hello/util.ts,util.ts",
        "functions/hello/deno.json,deno.json",
        "naïve name (1).ts,naïve name (1).ts",
        "__proto__,__proto__",
        "functions/other/x.ts,functions/other/x.ts"
    })
    void pathsAreTakenAsTheyAreWritten(String written, String clean) {
        assertThat(source(Map.of(written, "")).files()).containsOnlyKeys(clean);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../../x.ts",
                "../_shared/../../etc/passwd",
                "_shared/../x.ts",
                "a/../b.ts",
                "a/./b.ts",
                "a//b.ts",
                "a/",
                "/etc/passwd",
                "\\etc\\passwd",
                "..\\x.ts",
                "C:/x.ts",
                "file:///etc/passwd",
                "http://x/y.ts",
                "..%2fx.ts",
                "%2e%2e/x.ts",
                "a\u0000.ts",
                "a\nb.ts",
                " a.ts",
                "a.ts ",
                "x?.ts",
                "x#.ts",
                "e\u0301.ts",
                "\u202e.ts\uD800",
                "supabase/functions/../x"
            })
    void trickyPathsAreRefused(String path) {
        refused(ProblemCode.FUNCTION_PATH_INVALID, Map.of(path, ""));
    }

    @Test
    void longPathsAreRefusedInFewWords() {
        assertThatThrownBy(() -> source(Map.of("x".repeat(100_000), "")))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().detail()).hasSizeLessThan(500));
    }

    @Test
    void pathsThatSomeSystemsTakeForOneAreRefused() {
        refused(ProblemCode.FUNCTION_PATH_INVALID, Map.of("a.ts", "", "A.ts", ""));
        refused(ProblemCode.FUNCTION_PATH_INVALID, Map.of("./a.ts", "", "a.ts", ""));
        refused(ProblemCode.FUNCTION_PATH_INVALID, Map.of("_shared/a.ts", "", "../_shared/a.ts", ""));
        refused(ProblemCode.FUNCTION_PATH_INVALID, Map.of("ﬁle.ts", "", "file.ts", ""));
        refused(ProblemCode.FUNCTION_PATH_INVALID, Map.of("index.ts", ""));
        refused(ProblemCode.FUNCTION_PATH_INVALID, Map.of("INDEX.TS", ""));
    }

    @Test
    void numbersAndSizesAreBounded() {
        refused(
                ProblemCode.FUNCTION_TOO_MANY_FILES,
                IntStream.range(0, 10_000).boxed().collect(Collectors.toMap(n -> "f" + n + ".ts", n -> "")));
        refused(ProblemCode.FUNCTION_TOO_LARGE, Map.of("big.ts", "ä".repeat(6 << 20)));
        Map<String, String> nothing = new HashMap<>();
        nothing.put("a.ts", null);
        refused(ProblemCode.INVALID_BODY, nothing);
        refused(ProblemCode.INVALID_BODY, Map.of("a.ts", "\uD800"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"index.txt", "lib/index.ts", "../index.ts", "index", "/index.ts", "in dex.ts"})
    void anEntrypointIsAFileOfTheFolder(String entrypoint) {
        assertThatThrownBy(() -> FunctionSource.of("hello", Optional.of(entrypoint), "1", Map.of(), Optional.empty()))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.FUNCTION_PATH_INVALID));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "-a", "a b", "a/b", "ä", "deploy", "secrets", "a.b", "_runtime", "__proto__"})
    void namesThatCannotBeAFunctions(String name) {
        assertThatThrownBy(() -> FunctionName.checked(name, "/name"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.FUNCTION_NAME_INVALID));
        assertThat(FunctionName.checked("a".repeat(63), "/name")).hasSize(63);
    }

    @Test
    void resourcesOfNamesThatDifferInCaseOnlyDiffer() {
        assertThat(FunctionId.resourceName("abcdefgh", "Hello"))
                .isNotEqualTo(FunctionId.resourceName("abcdefgh", "hello"))
                .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
                .hasSizeLessThanOrEqualTo(49);
        assertThat(FunctionId.resourceName("abcdefgh", "a".repeat(63))).hasSizeLessThanOrEqualTo(49);
    }
}
