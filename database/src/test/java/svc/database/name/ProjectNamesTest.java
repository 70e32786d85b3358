package svc.database.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.database.sql.Identifier;

class ProjectNamesTest {
    private static final UUID ID = UUID.fromString("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
    private static final String SCHEMA = "proj_0f1e2d3c4b5a69788796a5b4c3d2e1f0";

    @Test
    void sharedCompanionsCarryTheSchemaName() {
        ProjectNames names = ProjectNames.shared(ID);
        assertThat(names.schemaName()).isEqualTo(SCHEMA);
        assertThat(names.companions())
                .extracting(Identifier::name)
                .containsExactly(SCHEMA + "_auth", SCHEMA + "_storage", SCHEMA + "_realtime");
    }

    @Test
    void dedicatedCompanionsHaveSupabasesNames() {
        assertThat(ProjectNames.dedicated(ID).companions())
                .extracting(Identifier::name)
                .containsExactly("auth", "storage", "realtime");
    }

    @Test
    void namesAreReadBackExactlyOrNotAtAll() {
        assertThat(ProjectNames.projectIdOf(SCHEMA)).contains(ID);
        assertThat(ProjectNames.projectIdOf(SCHEMA + "_auth")).isEmpty();
        assertThat(ProjectNames.projectIdOf(SCHEMA.toUpperCase(java.util.Locale.ROOT)))
                .isEmpty();
        for (DatabaseRole role : DatabaseRole.values()) {
            assertThat(ProjectNames.roleOf(ProjectNames.shared(ID).role(role).name()))
                    .contains(role);
        }
        assertThat(ProjectNames.roleOf(SCHEMA + "_owner_owner")).isEmpty();
        assertThat(ProjectNames.roleOf("x" + SCHEMA + "_owner")).isEmpty();
    }

    @Test
    void theLongestNameOfAFurtherSchemaIsTheLongestOfPostgresql() {
        var longest = new FurtherSchema("a".repeat(FurtherSchema.MAX_LENGTH));
        assertThat(ProjectNames.shared(ID).further(longest).name()).hasSize(63);
        assertThat(ProjectNames.dedicated(ID).further(longest).name()).isEqualTo(longest.alias());
        assertThat(FurtherSchema.isName(longest.alias() + "a")).isFalse();
    }

    @Test
    void aFurtherSchemaHasNoNameOfAnythingElse() {
        ProjectNames names = ProjectNames.shared(ID);
        for (DatabaseRole role : DatabaseRole.values()) {
            String name = names.further(new FurtherSchema(role.suffix())).name();
            assertThat(name).isNotEqualTo(names.role(role).name());
            assertThat(ProjectNames.roleOf(name)).isEmpty();
            assertThat(ProjectNames.projectIdOf(name)).isEmpty();
        }
        assertThat(names.companions().stream().map(Identifier::name))
                .doesNotContain(names.further(new FurtherSchema("_auth")).name());
        assertThat(names.furtherOf(SCHEMA + "__private")).contains(new FurtherSchema("private"));
        for (String other : new String[] {
            SCHEMA,
            SCHEMA + "_auth",
            SCHEMA + "_owner",
            SCHEMA + "__",
            SCHEMA + "__auth",
            SCHEMA + "__A",
            "private",
            SCHEMA.replace('0', '1') + "__private"
        }) {
            assertThat(names.furtherOf(other)).as(other).isEmpty();
        }
    }

    @Test
    void noLevelMayBecomeAnotherLogin() {
        assertThat(Arrays.stream(DatabaseRole.values()).flatMap(role -> role.mayBecome().stream()))
                .noneMatch(DatabaseRole::login);
    }
}
