package svc.catalog;

import java.util.Optional;
import svc.database.key.Purpose;
import svc.platform.tenancy.Tenant;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/** A project with the objects of a test's SQL, and its schema cache. */
public final class TestingSchema implements AutoCloseable {
    private static final long CACHE_BYTES = 50_000_000;

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant;
    private final CatalogDatabase catalog;
    private final SchemaCache schemas;

    public TestingSchema(String ref, String sql) {
        tenant = projects.project(ref);
        run(sql);
        catalog = new CatalogDatabase(
                () -> projects.platformPassword(Purpose.LOGIN_CATALOG),
                PoolSettings.defaults().withCap(3));
        schemas = new SchemaCache(new SchemaReader(catalog), CACHE_BYTES, Runnable::run, Optional.empty());
    }

    public TestingProjects projects() {
        return projects;
    }

    public Tenant tenant() {
        return tenant;
    }

    public SchemaCache schemas() {
        return schemas;
    }

    /** As the project's owner, in its schema. */
    public void run(String sql) {
        projects.asOwner(tenant, sql);
    }

    public ProjectSchema schema() {
        return schemas.current(tenant);
    }

    public Table table(String name) {
        return schema().table(name).orElseThrow();
    }

    public QualifiedIdentifier name(String name) {
        return new QualifiedIdentifier(tenant.names().schemaName(), name);
    }

    @Override
    public void close() {
        catalog.close();
    }
}
