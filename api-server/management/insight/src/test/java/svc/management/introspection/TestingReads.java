package svc.management.introspection;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.key.ProjectKeyScope;
import svc.management.query.OwnerLogins;
import svc.management.query.OwnerReads;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.RunLimits;
import svc.postgres.script.TestingOwner;
import svc.testing.TestingKeys;

/** A project in a hardened database, read as the control plane reads it. */
public final class TestingReads implements AutoCloseable {
    private final TestingOwner owner = TestingOwner.create();
    private final OwnerSessions sessions = new OwnerSessions(RunLimits.defaults(), TestingOwner.platformLogin());
    private final Tenant tenant;

    public TestingReads(String ref) {
        var scope = new ProjectKeyScope(owner.names().projectId(), TestingKeys.INCARNATION, 1);
        this.tenant = new Tenant(
                ref,
                owner.names(),
                scope,
                1,
                Map.of(),
                new Tenant.DatabaseAddress(TestingOwner.DATABASE, owner.jdbcUrl()),
                "default",
                "http://" + ref + ".localhost/rest/v1",
                RestSettings.defaults());
    }

    public TestingOwner owner() {
        return owner;
    }

    public Tenant tenant() {
        return tenant;
    }

    public ProjectIntrospection introspection() {
        return new ProjectIntrospection(new OwnerReads(sessions, new OwnerLogins(roots())));
    }

    /** Runs SQL as the project's owner. */
    public void run(String sql) {
        try (var connection = TestingOwner.SERVER.connect(TestingOwner.DATABASE, owner.login(), owner.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while running SQL of the owner: " + e.getMessage(), e);
        }
    }

    private static PurposeRoots roots() {
        return PurposeRoots.of(Set.of(ServerRole.CONTROL), new ApiConfig.Keys() {
            @Override
            public Map<Integer, String> master() {
                return Map.of(1, TestingKeys.encoded());
            }

            @Override
            public Optional<List<String>> roots() {
                return Optional.empty();
            }
        });
    }

    @Override
    public void close() {
        sessions.close();
    }
}
