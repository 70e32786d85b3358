package svc.sqlgate.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.database.name.ProjectNames;

/** The server's messages in the caller's names. */
class SupabaseAliasesTest {
    private static final UUID ID = UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100");
    private static final String SCHEMA = ProjectNames.shared(ID).schemaName();
    private static final SupabaseAliases NAMES = SupabaseAliases.of(ProjectNames.shared(ID));

    @Test
    void wholeNamesBecomeFamiliar() {
        assertThat(NAMES.toAliases("relation \"" + SCHEMA + ".todos\" does not exist"))
                .isEqualTo("relation \"public.todos\" does not exist");
        assertThat(NAMES.toAliases("permission denied for schema " + SCHEMA + "_auth"))
                .isEqualTo("permission denied for schema auth");
        assertThat(NAMES.toAliases("role \"" + SCHEMA + "_service\", " + SCHEMA + "_owner, " + SCHEMA + "_api"))
                .isEqualTo("role \"service_role\", postgres, authenticator");
        assertThat(NAMES.toAliases("svc_views.pg_class, svc_information_schema.tables"))
                .isEqualTo("pg_catalog.pg_class, information_schema.tables");
    }

    @Test
    void furtherSchemasBecomeFamiliar() {
        assertThat(NAMES.toAliases("relation \"" + SCHEMA + "__private.todos\" does not exist, schema " + SCHEMA
                        + "__api, " + SCHEMA + "___auth"))
                .isEqualTo("relation \"private.todos\" does not exist, schema api, _auth");
    }

    @Test
    void otherNamesStayAsTheyAre() {
        for (String message : new String[] {
            SCHEMA + "__",
            SCHEMA + "__Private",
            SCHEMA + "__auth",
            SCHEMA + "__abcdefghijklmnopqrstuvwxy",
            "x" + SCHEMA + "__private",
            "proj_00000000000000000000000000000001__private",
            "proj_00000000000000000000000000000001.t",
            SCHEMA + "_authx",
            "x" + SCHEMA,
            SCHEMA + "é",
            SCHEMA + "$1",
            ""
        }) {
            assertThat(NAMES.toAliases(message)).isEqualTo(message);
        }
        assertThat(SupabaseAliases.of(ProjectNames.dedicated(ID)).toAliases("auth.x, svc_views.y, " + SCHEMA + "_anon"))
                .isEqualTo("auth.x, svc_views.y, anon");
    }
}
