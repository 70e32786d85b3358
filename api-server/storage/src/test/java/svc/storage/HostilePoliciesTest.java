package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;
import svc.storage.StorageHttp.Answer;

/** Policies and triggers that fail, wait or do something else have a readable answer, leave nothing, and hold no neighbour. */
class HostilePoliciesTest {
    private static StorageForTests storage;
    private static int projects;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("neighbour");
        storage.bucket("neighbour", "b", true);
        storage.upload("neighbour", "b/f", SERVICE, "x");
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    /** A project with a file, whose owner has a function {@code f()} and a table {@code noted}. */
    private static String project(String body) {
        String ref = "p" + projects++;
        Tenant tenant = storage.project(ref);
        storage.bucket(ref, "b", false);
        storage.upload(ref, "b/there", SERVICE, "x");
        storage.projects()
                .asOwner(
                        tenant,
                        "CREATE TABLE " + schema(tenant) + ".noted (n int);"
                                + "GRANT ALL ON " + schema(tenant) + ".noted TO "
                                + role(tenant, DatabaseRole.AUTHENTICATED)
                                + "; CREATE FUNCTION " + schema(tenant)
                                + ".f() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN "
                                + body.replace("SCHEMA", schema(tenant))
                                + " RETURN true; END $$; GRANT EXECUTE ON FUNCTION "
                                + schema(tenant) + ".f() TO " + role(tenant, DatabaseRole.AUTHENTICATED));
        return ref;
    }

    private static String schema(Tenant tenant) {
        return tenant.names().schema().sql();
    }

    private static String role(Tenant tenant, DatabaseRole role) {
        return tenant.names().role(role).sql();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            RAISE EXCEPTION 'not on Sundays';                       | 400 | DatabaseError: not on Sundays | DatabaseError: not on Sundays
            RAISE insufficient_privilege;                           | 403 | Unauthorized: new row         | Unauthorized: new row
            RAISE EXCEPTION USING ERRCODE = 'XX000';                | 400 | DatabaseError: Database error | DatabaseError: Database error
            RETURN SCHEMA.f();                                      | 400 | DatabaseError: Database error [54001] | DatabaseError: Database error [54001]
            RETURN 1 / 0 = 1;                                       | 400 | Error: The request has        | Error: The request has
            INSERT INTO SCHEMA.noted VALUES (1); RETURN false;      | 403 | Unauthorized: new row         | DatabaseError: Database error [25006]
            PERFORM set_config('role', 'none', false);              | 0   |                               |
            """)
    void aPolicyThatFails(String body, int status, String written, String read) {
        String ref = project(body);
        String f = schema(storage.tenant(ref)) + ".f()";
        storage.policy(ref, "FOR INSERT TO PUBLIC WITH CHECK (" + f + ")");
        storage.policy(ref, "FOR SELECT TO PUBLIC USING (" + f + ")");

        Answer upload = storage.upload(ref, "b/new", ALICE, "x");
        Answer download = storage.get(ref, "/object/b/there", ALICE);
        Answer list = storage.call(ref, "POST", "/object/list/b", ALICE, "{\"prefix\":\"\"}");
        for (Answer answer : new Answer[] {upload, download, list}) {
            assertThat(answer.status()).as(answer.toString()).isIn(200, 400);
        }
        if (status > 0) {
            assertThat(upload.refusal()).startsWith(status + " " + written);
            assertThat(download.refusal()).contains(read);
            assertThat(list.refusal()).contains(read);
        }
        assertThat(storage.projects().ask("SELECT count(*) FROM " + schema(storage.tenant(ref)) + ".noted"))
                .isEqualTo("0");
        await().until(storage::idle);
        assertThat(storage.contents(ref)).isEqualTo(storage.named(ref));
        assertThat(storage.get(ref, "/object/b/there", SERVICE).body()).isEqualTo("x");
    }

    @Test
    void aPolicyOverItsOwnTableIsNamed() {
        String ref = project("NULL;");
        String objects = storage.tenant(ref).names().storage().sql() + ".objects";
        storage.policy(ref, "FOR SELECT TO PUBLIC USING (EXISTS (SELECT 1 FROM " + objects + "))");
        assertThat(storage.get(ref, "/object/b/there", ALICE).refusal())
                .isEqualTo("400 DatabaseError: Database error [42P17]");
    }

    @Test
    void aPolicyThatWaitsHoldsNoNeighbour() {
        String ref = project("PERFORM pg_sleep(3600);");
        storage.projects()
                .asOperator("GRANT EXECUTE ON FUNCTION pg_catalog.pg_sleep(double precision) TO PUBLIC;" + "ALTER ROLE "
                        + role(storage.tenant(ref), DatabaseRole.API) + " SET statement_timeout = '1s'");
        storage.policy(ref, "FOR SELECT TO PUBLIC USING (" + schema(storage.tenant(ref)) + ".f())");
        storage.policy(ref, "FOR INSERT TO PUBLIC WITH CHECK (" + schema(storage.tenant(ref)) + ".f())");
        var waiting = Stream.<java.util.function.Supplier<Answer>>of(
                        () -> storage.get(ref, "/object/b/there", ALICE),
                        () -> storage.upload(ref, "b/new", ALICE, "x"))
                .map(call -> CompletableFuture.supplyAsync(call, Thread::startVirtualThread))
                .toList();
        assertThat(storage.get("neighbour", "/object/public/b/f", "").body()).isEqualTo("x");
        waiting.forEach(call -> {
            assertThat(call.join().status()).isEqualTo(544);
            assertThat(call.join().text("error")).isEqualTo("DatabaseTimeout");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "RAISE EXCEPTION 'not this one', not this one",
        "RETURN NULL, A trigger keeps the file from being stored"
    })
    void aTriggerThatRefusesTheRowLeavesNoBytes(String refusal, String message) {
        String ref = project("NULL;");
        Tenant tenant = storage.tenant(ref);
        // It refuses what is written, not what is tried: only a written row names bytes.
        storage.projects()
                .asOwner(
                        tenant,
                        "CREATE FUNCTION " + schema(tenant) + ".refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                                + " IF NEW.version IS NOT NULL THEN " + refusal + "; END IF; RETURN NEW;"
                                + " END $$; CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON "
                                + tenant.names().storage().sql() + ".objects FOR EACH ROW EXECUTE FUNCTION "
                                + schema(tenant) + ".refuse()");
        for (Answer refused : new Answer[] {
            storage.upload(ref, "b/new", SERVICE, "y"),
            storage.upload(ref, "b/there", SERVICE, "y", "x-upsert", "true"),
            storage.call(
                    ref,
                    "POST",
                    "/object/copy",
                    SERVICE,
                    "{\"bucketId\":\"b\",\"sourceKey\":\"there\",\"destinationKey\":\"too\"}")
        }) {
            assertThat(refused.refusal()).isEqualTo("400 DatabaseError: " + message);
        }
        await().until(storage::idle);
        assertThat(storage.contents(ref)).isEqualTo(storage.named(ref)).hasSize(1);
        assertThat(storage.get(ref, "/object/b/there", SERVICE).body()).isEqualTo("x");
    }

    @Test
    void aTriggerThatAddsAFileForEachThatIsDeletedEndsTheCall() {
        String ref = project("NULL;");
        Tenant tenant = storage.tenant(ref);
        String objects = tenant.names().storage().sql() + ".objects";
        String again = schema(tenant) + ".again()";
        storage.projects()
                .asOwner(
                        tenant,
                        "CREATE FUNCTION " + again + " RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO "
                                + objects
                                + " (bucket_id, name) VALUES (OLD.bucket_id, OLD.name); RETURN NULL;"
                                + " END $$; CREATE TRIGGER again AFTER DELETE ON " + objects
                                + " FOR EACH ROW EXECUTE FUNCTION " + again);
        assertThat(storage.call(ref, "POST", "/bucket/b/empty", SERVICE).refusal())
                .isEqualTo("400 Error: The bucket has more files than are deleted in one call. Call again");
        assertThat(storage.call(ref, "DELETE", "/object/b/there", SERVICE).status())
                .isEqualTo(200);
    }

    @Test
    void aTriggerCannotGiveAFileTheBytesOfAnother() {
        String ref = project("NULL;");
        Tenant tenant = storage.tenant(ref);
        String version = storage.named(ref).iterator().next();
        storage.projects()
                .asOwner(
                        tenant,
                        "CREATE FUNCTION " + schema(tenant) + ".steal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                                + " NEW.version := '" + version + "'; RETURN NEW;"
                                + " END $$; CREATE TRIGGER steal BEFORE INSERT OR UPDATE ON "
                                + tenant.names().storage().sql() + ".objects FOR EACH ROW EXECUTE FUNCTION "
                                + schema(tenant) + ".steal()");
        storage.policy(ref, "FOR INSERT TO PUBLIC WITH CHECK (true)");
        assertThat(storage.upload(ref, "b/mine", ALICE, "y").status()).isEqualTo(400);
        assertThat(storage.upload(ref, "b/mine", SERVICE, "y").status()).isEqualTo(400);
        await().until(storage::idle);
        assertThat(storage.contents(ref)).isEqualTo(storage.named(ref)).containsExactly(version);
        assertThat(storage.get(ref, "/object/b/there", SERVICE).body()).isEqualTo("x");
    }
}
