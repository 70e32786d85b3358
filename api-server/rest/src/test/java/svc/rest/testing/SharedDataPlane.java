package svc.rest.testing;

import java.util.concurrent.atomic.AtomicInteger;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/**
 * One hardened database and one REST server for all test classes of a JVM that need no settings of their own: starting both
 * takes longer than most of these classes run. They are stopped with the JVM. A test that changes the database beyond its own
 * project, or the pool's settings, creates its own {@link TestingDataPlane}.
 */
public final class SharedDataPlane {
    public static final TestingProjects PROJECTS = TestingProjects.create();
    public static final TestingDataPlane PLANE = new TestingDataPlane(PROJECTS, PoolSettings.defaults(), true);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private SharedDataPlane() {}

    /** Creates a project with what {@code sql} creates as its owner, and serves it. */
    public static Tenant project(String sql) {
        Tenant tenant = project();
        PROJECTS.asOwner(tenant, sql);
        return tenant;
    }

    /** Creates an empty project and serves it. */
    public static Tenant project() {
        Tenant tenant = PROJECTS.project(ref());
        PLANE.serve(tenant);
        return tenant;
    }

    /** A project reference that no other class of this JVM uses. */
    public static String ref() {
        return "shared%02d".formatted(COUNT.incrementAndGet());
    }
}
