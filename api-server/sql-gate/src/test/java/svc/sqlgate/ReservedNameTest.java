package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.ProjectNames;
import svc.platform.problem.ProblemCode;

/** A table that could be made and not be written to is refused when it is made. */
class ReservedNameTest {
    private static final ProjectNames NAMES =
            ProjectNames.shared(UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100"));
    private static final ScriptGate GATE = SharedGate.gate();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE pg_thing (id int)",
                "CREATE TABLE IF NOT EXISTS public.pg_thing (id int)",
                "CREATE VIEW pg_thing AS SELECT 1",
                "CREATE MATERIALIZED VIEW pg_thing AS SELECT 1",
                "CREATE TABLE pg_thing AS SELECT 1",
                "ALTER TABLE things RENAME TO pg_thing",
                "ALTER VIEW things RENAME TO pg_thing"
            })
    void aNameOfTheCatalogsIsRefused(String sql) {
        Verdict verdict = GATE.judge(sql, NAMES);
        assertThat(verdict).as(sql).isInstanceOf(Verdict.Rejected.class);
        var rejected = (Verdict.Rejected) verdict;
        assertThat(rejected.code()).isEqualTo(ProblemCode.SQL_FORBIDDEN_OBJECT);
        assertThat(rejected.what()).isEqualTo("the name pg_thing");
        assertThat(rejected.hint()).startsWith("The prefix \"pg_\" is reserved");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE pgthing (pg_column int)",
                "CREATE TEMP TABLE pg_thing (id int)",
                "ALTER TABLE things RENAME COLUMN a TO pg_a",
                "CREATE TABLE page (id int)"
            })
    void otherNamesAreNot(String sql) {
        assertThat(GATE.judge(sql, NAMES)).as(sql).isInstanceOf(Verdict.Admitted.class);
    }
}
