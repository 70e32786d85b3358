package svc.management.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.management.json.StrictJson;
import svc.platform.problem.ProblemException;

/** A folder of migrations is read in every form that tools have it, or refused at the field that is wrong. */
class MigrationFolderBodyTest {
    private static MigrationBody body(String json) throws JsonProcessingException {
        return StrictJson.get().readValue(json.replace('\'', '"'), MigrationBody.class);
    }

    private static MigrationFolder folder(String json) throws JsonProcessingException {
        return MigrationFolder.of(body(json));
    }

    @Test
    void isAnArrayOrAFieldAndOrderedByVersion() throws Exception {
        String files = "[{'version':'20300131120001','name':'b','query':'SELECT 2'},"
                + "{'version':'20300131120000','statements':['SELECT 1 -- one','SELECT 2']}]";
        for (String json : new String[] {files, "{'migrations':" + files + "}"}) {
            MigrationFolder folder = folder(json);
            assertThat(folder.dryRun()).isFalse();
            assertThat(folder.files())
                    .extracting(file ->
                            file.version().orElseThrow() + " " + file.name().orElse("-") + " " + file.query())
                    .containsExactly("20300131120000 - SELECT 1 -- one\n;\nSELECT 2", "20300131120001 b SELECT 2");
        }
        assertThat(folder("{'dry_run':true,'migrations':" + files + "}").dryRun())
                .isTrue();
        assertThat(body("{'query':'SELECT 1','dry_run':true}").isFolder()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "20300131120000_create_todos.sql, create_todos",
        "supabase/migrations/20300131120000_create_todos.sql, create_todos",
        "20300131120000_create_todos, create_todos",
        "20300131120000.sql, -",
        "20300131120000_.sql, -",
        "20300131120000_a_b.c.sql, a_b.c",
    })
    void takesTheNamesOfFiles(String name, String expected) throws Exception {
        MigrationRequest file =
                folder("[{'name':'" + name + "','query':''}]").files().getFirst();
        assertThat(file.version()).contains("20300131120000");
        assertThat(file.name().orElse("-")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "001_init.sql, 001, init",
        "migrations/1_a.sql, 1, a",
        "20260101_users.sql, 20260101, users",
        "202601011200001234_users.sql, 202601011200001234, users",
        "0.sql, 0, -",
    })
    void aVersionMayBeAnyDigits(String name, String version, String expected) throws Exception {
        MigrationRequest file =
                folder("[{'name':'" + name + "','query':''}]").files().getFirst();
        assertThat(file.version()).contains(version);
        assertThat(file.name().orElse("-")).isEqualTo(expected);
    }

    @Test
    void aNameBesideAVersionMayBeginWithANumber() throws Exception {
        MigrationRequest file = folder("[{'version':'20300131120000','name':'2024_cleanup','query':''}]")
                .files()
                .getFirst();
        assertThat(file.version()).contains("20300131120000");
        assertThat(file.name()).contains("2024_cleanup");
    }

    @Test
    void filesAreNamedInWhatIsWrongWithThem() {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> folder("[{'name':'002_a.sql','query':''},{'name':'001_b.sql','query':''},"
                        + "{'name':'002_c.sql','query':''}]"))
                .satisfies(refused -> {
                    assertThat(refused.problem().detail())
                            .isEqualTo("The migrations 002_a.sql and 002_c.sql have the same version, 002.");
                    assertThat(refused.problem().hint().orElseThrow()).contains("rename");
                });
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> folder("[{'name':'init.sql','query':''}]"))
                .satisfies(refused -> {
                    assertThat(refused.problem().detail()).isEqualTo("The migration init.sql has no version.");
                    assertThat(refused.problem().hint().orElseThrow()).contains("001_create_todos.sql");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|/migrations",
                "[{'query':'x'}]|/migrations/0/version",
                "[{'query':'x','version':'v1'}]|/migrations/0/version",
                "[{'query':'x','version':''}]|/migrations/0/version",
                "[{'query':'x','version':'000000000000000000000000000000001'}]|/migrations/0/version",
                "[{'query':'x','name':'init.sql'}]|/migrations/0/version",
                "[{'query':'x','version':'2','name':'001_a.sql'}]|/migrations/0/name",
                "[{'query':'x','version':'20300131120000','name':'20300131120001_a.sql'}]|/migrations/0/name",
                "[{'query':'x','version':'20300131120000','name':' a'}]|/migrations/0/name",
                "[{'version':'20300131120000'}]|/migrations/0/query",
                "[{'query':'x','statements':['x'],'version':'20300131120000'}]|/migrations/0/statements",
                "[{'statements':[null],'version':'20300131120000'}]|/migrations/0/statements",
                "[null]|/migrations/0",
                "[{'query':'x','version':'20300131120000'},{'query':'y','version':'20300131120000'}]|/migrations/1/version",
                "{'query':'x','migrations':[{'query':'x','version':'20300131120000'}]}|/migrations",
                "{'rollback':'x','migrations':[{'query':'x','version':'20300131120000'}]}|/migrations",
            })
    void aFaultIsReportedAtItsField(String json, String pointer) throws Exception {
        MigrationBody body = body(json);
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> MigrationFolder.of(body))
                .satisfies(refused -> assertThat(
                                refused.problem().errors().getFirst().pointer())
                        .isEqualTo(pointer));
    }

    @Test
    void hasNoMoreFilesThanTheLimit() throws Exception {
        String files = IntStream.rangeClosed(0, MigrationFolder.MAX_FILES)
                .mapToObj(i -> "{'query':'','version':'203001311%05d'}".formatted(i))
                .collect(Collectors.joining(","));
        MigrationBody body = body("[" + files + "]");
        assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> MigrationFolder.of(body));
        assertThat(folder("[" + files.substring(files.indexOf("},") + 2) + "]").files())
                .hasSize(MigrationFolder.MAX_FILES);
    }

    @Test
    void unknownFieldsOfAFileAreRefused() {
        assertThatExceptionOfType(JsonProcessingException.class)
                .isThrownBy(() -> body("[{'sql':'SELECT 1','version':'20300131120000'}]"));
        assertThatExceptionOfType(JsonProcessingException.class).isThrownBy(() -> body("{'querry':'SELECT 1'}"));
    }

    @Test
    void textsAreTheSameWhateverEndsTheirLines() {
        assertThat(MigrationText.same("SELECT 1;\r\nSELECT 2;\r\n", "SELECT 1;\nSELECT 2;"))
                .isTrue();
        assertThat(MigrationText.same("SELECT 1", "SELECT  1")).isFalse();
    }
}
