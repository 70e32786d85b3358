package svc.e2e.changed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.e2e.platform.PlatformCommand;

/** {@code ./svc test --changed} runs the tests of the modules that a change concerns, and of no others. */
class ChangedModulesTest {
    private static final String EVERY_MODULE = "pom.xml";

    private static List<String> concerned(String... paths) throws IOException {
        Process script = new ProcessBuilder(".ci/changed-modules")
                .directory(PlatformCommand.root().toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream in = script.getOutputStream()) {
            in.write(String.join("\n", paths).getBytes(StandardCharsets.UTF_8));
        }
        String printed = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return printed.lines().filter(line -> !line.isBlank()).toList();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    api-server/graphql/src/main/java/svc/graphql/Any.java,             api-server/graphql api-server/server bench chart-tests e2e standalone
                    api-server/graphql/pom.xml,                                        api-server/graphql api-server/server bench chart-tests e2e standalone
                    api-server/management/pg-endpoint/src/main/java/svc/AnyPoint.java, api-server/management/pg-endpoint api-server/server bench chart-tests e2e standalone
                    operator/src/main/java/svc/operator/Operator.java,                 bench chart-tests e2e operator standalone
                    e2e/src/main/java/svc/e2e/Any.java,                                bench e2e
                    """)
    void aSourceConcernsItsModuleAndItsDependents(String path, String modules) throws IOException {
        assertThat(concerned(path)).containsExactly(modules.split(" "));
    }

    /** The SQL of a tenant is tested with rows that REST shows; the PostgreSQL endpoint needs the former without the latter. */
    @Test
    void aModuleThatTestsAloneNeedConcernsTheseTestsAlone() throws IOException {
        assertThat(concerned("api-server/rest/src/main/java/svc/rest/RestService.java"))
                .contains("api-server/rest", "api-server/management/sql", "api-server/server", "e2e")
                .doesNotContain("api-server/management/pg-endpoint", "api-server/management/insight");
    }

    /** The tests of rest are fixtures of the server's. */
    @ParameterizedTest
    @CsvSource({
        "api-server/graphql/src/test/java/svc/graphql/ATest.java, api-server/graphql",
        "api-server/rest/src/test/java/svc/rest/ATest.java, api-server/rest api-server/server",
    })
    void aTestConcernsItsModuleAlone(String path, String modules) throws IOException {
        assertThat(concerned(path)).containsExactly(modules.split(" "));
    }

    @ParameterizedTest
    @CsvSource({"docs/operator.md, operator", "helm/svc/values.yaml, chart-tests", "clients/js/src/client.ts, e2e"})
    void aFileOutsideConcernsTheModulesThatReadIt(String path, String module) throws IOException {
        assertThat(concerned(path)).contains(module).doesNotContain("api-server/auth", "database");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"svc", ".ci/run", "sandbox/run/main.ts", "api-server/pom.xml", "a file that no module names"})
    void whatEveryBuildIsMadeFromConcernsAll(String path) throws IOException {
        assertThat(concerned(path)).isEqualTo(concerned(EVERY_MODULE)).contains("budget", "api-server/auth", "images");
    }

    @Test
    void textThatNoTestReadsConcernsNone() throws IOException {
        assertThat(concerned("CHANGELOG.md")).isEmpty();
        assertThat(concerned()).isEmpty();
    }

    @Test
    void severalFilesConcernTheModulesOfEach() throws IOException {
        List<String> both = concerned("api-server/rest/src/main/A.java", "operator/src/main/B.java");
        assertThat(both)
                .containsExactlyElementsOf(
                        Stream.of(concerned("api-server/rest/src/main/A.java"), concerned("operator/src/main/B.java"))
                                .flatMap(List::stream)
                                .distinct()
                                .sorted()
                                .toList());
    }
}
