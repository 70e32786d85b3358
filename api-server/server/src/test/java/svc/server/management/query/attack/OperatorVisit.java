package svc.server.management.query.attack;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.Fact;
import svc.database.project.Observation;
import svc.database.project.ObservationQuery;
import svc.database.project.ProjectLayout;
import svc.database.project.ProjectPlan;
import svc.database.project.ProjectRemoval;
import svc.database.project.ProjectTarget;
import svc.database.project.RoleSettings;
import svc.database.project.SqlBlock;
import svc.database.project.SqlStep;
import svc.database.project.companion.Companion;
import svc.testing.TestingKeys;

/** What the operator does with a project whenever it comes by: observe, plan, apply; and in the end remove. */
final class OperatorVisit {
    private final Connection superuser;
    private final ProjectNames names;

    /** @param superuser a session of its own: the visit changes its settings */
    OperatorVisit(Connection superuser, ProjectNames names) {
        this.superuser = superuser;
        this.names = names;
    }

    /** Brings the project into order. @return what had to be done for that; empty when it was */
    ProjectPlan reconcile() throws SQLException {
        execute("SET search_path = pg_catalog; SET lock_timeout = '5s'");
        ProjectPlan plan = ProjectPlan.of(ProjectLayout.desired(target()), observe());
        if (!plan.steps().isEmpty()) {
            execute(SqlBlock.of(plan.steps()).sql().sql());
        }
        return plan;
    }

    /** Deletes the project with everything in it. */
    void remove() throws SQLException {
        execute("SET search_path = pg_catalog; SET lock_timeout = '5s'");
        execute(SqlBlock.of(ProjectRemoval.retain(names)).sql().sql());
        execute(SqlBlock.of(List.of(ProjectRemoval.terminate(names))).sql().sql());
        for (SqlStep step : ProjectRemoval.delete(names)) {
            execute(SqlBlock.of(List.of(step)).sql().sql());
        }
    }

    private Set<Fact> observe() throws SQLException {
        ObservationQuery query = ObservationQuery.of(names, Companion.current());
        try (PreparedStatement statement =
                superuser.prepareStatement(query.sql().sql())) {
            int place = 1;
            for (List<String> parameter : query.parameters()) {
                statement.setArray(place++, superuser.createArrayOf("text", parameter.toArray()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                var read = new Observation.Rows();
                while (rows.next()) {
                    read.add(rows.getString(1), rows.getString(2), rows.getString(3));
                }
                return read.observation().facts();
            }
        }
    }

    private ProjectTarget target() {
        MasterKey master = TestingKeys.master();
        var scope = new ProjectKeyScope(names.projectId(), TestingKeys.INCARNATION, 1);
        Map<DatabaseRole, String> verifiers = new EnumMap<>(DatabaseRole.class);
        for (DatabaseRole role : DatabaseRole.values()) {
            Purpose.ofLogin(role)
                    .ifPresent(purpose -> verifiers.put(
                            role,
                            LoginSecret.of(master.root(purpose).leaf(scope)).scramVerifier()));
        }
        return new ProjectTarget(names, verifiers, RoleSettings.defaults(), Companion.current());
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = superuser.createStatement()) {
            statement.execute(sql);
        }
    }
}
