package svc.storage;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import svc.database.project.companion.CompanionSchema;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.testing.TestingProjects;

/** The projects that the service knows: real ones, whose tables can take files, with their buckets and policies. */
abstract class StorageProjects extends StorageInspection {
    private final TestingProjects projects = TestingProjects.create();
    private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();

    @Override
    TestingProjects projects() {
        return projects;
    }

    /** The projects, as a process knows them. */
    TenantDirectory directory() {
        return new TenantDirectory() {
            @Override
            public Optional<Tenant> find(String ref) {
                return Optional.ofNullable(tenants.get(ref));
            }

            @Override
            public void onChange(Listener listener) {
                throw new IllegalStateException("this directory reports no changes");
            }
        };
    }

    /** A project whose tables can take files. */
    Tenant project(String ref) {
        Tenant tenant = projects.project(ref);
        projects.complete(tenant, CompanionSchema.STORAGE);
        tenants.put(ref, tenant);
        return tenant;
    }

    /** The same project with other settings, or another database. */
    void serve(Tenant tenant) {
        tenants.put(tenant.ref(), tenant);
    }

    /** The service no longer knows the project. */
    void forget(String ref) {
        tenants.remove(ref);
    }

    @Override
    Tenant tenant(String ref) {
        return tenants.get(ref);
    }

    /** Makes a bucket with the service role. */
    void bucket(String ref, String name, boolean open) {
        String body = "{\"name\":\"" + name + "\",\"public\":" + open + "}";
        Answer made = call(ref, "POST", "/bucket", StorageForTests.SERVICE, body);
        if (made.status() != 200) {
            throw new IllegalStateException("no bucket: " + made);
        }
    }

    /** Makes a policy on files. The words {@code STORAGE} and {@code AUTH} stand for the schemas of the common functions. */
    void policy(String ref, String rest) {
        var names = tenants.get(ref).names();
        projects.asOperator("CREATE POLICY p" + UUID.randomUUID().toString().replace("-", "") + " ON "
                + names.storage().sql() + ".objects "
                + rest.replace("STORAGE.", "svc_storage.").replace("AUTH.", "svc_auth."));
    }
}
