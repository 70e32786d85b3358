package svc.database.shared.statements;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** A project's owner, and a neighbour with a further schema that has a table of secrets. */
abstract class FurtherSchemaFixture {
    Tenant tenant;
    Tenant neighbour;
    Connection owner;

    @BeforeEach
    void logIn() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.newTenant();
        owner = tenant.owner();
        try (Connection other = neighbour.owner()) {
            create(other, "private");
            Sql.run(other, neighbour.fill("CREATE TABLE $S__private.secrets AS SELECT 1 AS a"));
        }
    }

    @AfterEach
    void logOut() throws Exception {
        owner.close();
    }

    static void create(Connection connection, String name) throws Exception {
        Sql.run(connection, "CALL svc_statements.create_schema('" + name + "', false, NULL)");
    }

    String state(String sql) {
        return Sql.state(owner, tenant.fill(sql).replace("$N", neighbour.schema()));
    }

    String state(String login, String sql) throws Exception {
        try (Connection connection = tenant.login(login)) {
            return Sql.state(connection, tenant.fill(sql));
        }
    }

    List<String> schemas() throws Exception {
        return Sql.column(
                owner,
                "SELECT substr(nspname, 38) FROM svc_views.pg_namespace WHERE nspname LIKE '%\\_\\_%' ORDER BY 1");
    }
}
