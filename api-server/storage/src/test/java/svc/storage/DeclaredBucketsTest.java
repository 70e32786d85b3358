package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.BucketSpec;
import svc.crds.project.service.StorageSpec;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.storage.StorageHttp.Answer;
import svc.storage.bucket.DeclaredBuckets;
import svc.storage.rows.BucketRows;

/** The buckets of a project's spec are there, with its settings, and nothing else is touched. */
class DeclaredBucketsTest {
    private static StorageForTests storage;
    private static final ProjectRunner RUNNER = new ProjectRunner(
            "test", RunnerSettings.of(2, 2, Duration.ofMillis(100)).withFirstDelay(Duration.ofMillis(10)));
    private static DeclaredBuckets declared;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        for (String ref : List.of("one", "two", "tricky", "lean", "off")) {
            storage.project(ref);
        }
        declared = new DeclaredBuckets(new BucketRows(storage.transactions()), new Directory(), RUNNER);
    }

    @AfterAll
    static void stop() {
        RUNNER.close();
        storage.close();
    }

    private static final class Directory implements TenantDirectory {
        @Override
        public Optional<Tenant> find(String ref) {
            return Optional.ofNullable(storage.tenant(ref));
        }

        @Override
        public void onChange(Listener listener) {
            throw new IllegalStateException("this directory reports no changes");
        }
    }

    private static void declare(String ref, BucketSpec... buckets) {
        Tenant tenant = storage.tenant(ref);
        storage.serve(tenant.withStorage(tenant.storage().withBuckets(Arrays.asList(buckets))));
        settled(declared.changed(ref));
    }

    /** Whether or not it has failed. */
    private static void settled(CompletableFuture<Void> reconciled) {
        reconciled.exceptionally(failed -> null).join();
    }

    private static BucketSpec bucket(String name, boolean open, Long limit, String... types) {
        return new BucketSpec(name, open, limit, List.of(types), null);
    }

    private static List<String> buckets(String ref) {
        List<String> names = new ArrayList<>();
        storage.get(ref, "/bucket", SERVICE)
                .json()
                .forEach(bucket -> names.add(bucket.path("id").asText()));
        return names;
    }

    private static Answer read(String ref, String bucket) {
        return storage.get(ref, "/bucket/" + bucket, SERVICE);
    }

    @Test
    void theyAreMadeChangedAndNeverTakenAway() {
        declare("one", bucket("photos", true, 1024L, "image/*", "image/png"), bucket("notes", false, null));
        assertThat(buckets("one")).containsExactly("notes", "photos");
        assertThat(read("one", "photos").json().path("public").asBoolean()).isTrue();
        assertThat(read("one", "photos").json().path("file_size_limit").asLong())
                .isEqualTo(1024);
        assertThat(read("one", "photos").json().path("allowed_mime_types").toString())
                .isEqualTo("[\"image/*\",\"image/png\"]");
        assertThat(read("one", "notes").json().path("allowed_mime_types").isNull())
                .isTrue();
        assertThat(storage.upload("one", "photos/a", SERVICE, "a", "Content-Type", "image/gif")
                        .status())
                .isEqualTo(200);

        declare("one", bucket("photos", false, null));
        assertThat(buckets("one")).containsExactly("notes", "photos");
        assertThat(read("one", "photos").json().path("public").asBoolean()).isFalse();
        assertThat(read("one", "photos").json().path("file_size_limit").isNull())
                .isTrue();
        assertThat(read("one", "photos").json().path("allowed_mime_types").isNull())
                .isTrue();
        declare("one");
        assertThat(storage.get("one", "/object/photos/a", SERVICE).body()).isEqualTo("a");
    }

    @Test
    void whatIsChangedOtherwiseIsRepaired() {
        declare("two", bucket("kept", true, null));
        storage.bucket("two", "other", true);
        assertThat(storage.call("two", "PUT", "/bucket/kept", SERVICE, "{\"public\":false}")
                        .status())
                .isEqualTo(200);
        settled(declared.changed("two"));
        assertThat(read("two", "kept").json().path("public").asBoolean())
                .as("an unchanged project costs nothing")
                .isFalse();

        settled(declared.repair(id -> false));
        assertThat(read("two", "kept").json().path("public").asBoolean()).isFalse();
        settled(declared.repair(id -> true));
        assertThat(read("two", "kept").json().path("public").asBoolean()).isTrue();
        assertThat(read("two", "other").json().path("public").asBoolean()).isTrue();

        assertThat(storage.call("two", "DELETE", "/bucket/kept", SERVICE).status())
                .isEqualTo(200);
        settled(declared.repair(id -> true));
        assertThat(buckets("two")).containsExactly("kept", "other");
    }

    /** A trigger of the tenant's runs with the rights of the project's own services, and only for what differs. */
    @Test
    void aTriggerThatRefusesIsAskedAgainAndHarmsNoNeighbour() {
        Tenant tenant = storage.tenant("tricky");
        String schema = tenant.names().schema().sql();
        String table = tenant.names().storage().sql() + ".buckets";
        storage.projects()
                .asOperator("CREATE FUNCTION " + schema + ".look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF NEW.id = 'refused' THEN RAISE EXCEPTION 'no'; END IF;"
                        + " NEW.owner_id := session_user || ' ' || current_user; RETURN NEW; END $$");
        String create = "CREATE TRIGGER look BEFORE INSERT OR UPDATE ON " + table + " FOR EACH ROW EXECUTE FUNCTION "
                + schema + ".look()";
        storage.projects().asOperator(create);

        declare("tricky", bucket("refused", true, null));
        declare("lean", bucket("beside", true, null));
        assertThat(buckets("tricky")).isEmpty();
        assertThat(buckets("lean")).containsExactly("beside");

        storage.projects().asOperator("DROP TRIGGER look ON " + table);
        await().untilAsserted(() -> assertThat(buckets("tricky")).containsExactly("refused"));

        storage.projects().asOperator(create);
        settled(declared.repair(id -> true));
        declare("tricky", bucket("second", true, null), bucket("refused", true, null));
        assertThat(buckets("tricky"))
                .as("nothing differs in the first, so no trigger refuses it")
                .containsExactly("refused", "second");
        String system = tenant.names().role(DatabaseRole.SYSTEM).name();
        assertThat(read("tricky", "second").text("owner")).isEqualTo(system + " " + system);
    }

    @Test
    void versioningIsDeclaredToo() {
        declare("two", new BucketSpec("kept", true, null, List.of(), true), bucket("plain", false, null));
        assertThat(read("two", "kept").text("versioning_status")).isEqualTo("ENABLED");
        assertThat(read("two", "plain").text("versioning_status")).isEqualTo("DISABLED");
        declare("two", new BucketSpec("kept", true, null, List.of(), false), bucket("plain", false, null));
        assertThat(read("two", "kept").text("versioning_status")).isEqualTo("SUSPENDED");
        declare("two", bucket("kept", true, null));
        storage.call("two", "DELETE", "/bucket/plain", SERVICE);
    }

    @Test
    void aProjectWithoutTheServiceGetsNone() {
        Tenant off = storage.tenant("off");
        storage.serve(off.withStorage(
                new StorageSpec(false, null, null, null, null).withBuckets(List.of(bucket("never", true, null)))));
        settled(declared.changed("off"));
        storage.serve(off);
        assertThat(buckets("off")).isEmpty();
    }
}
