package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.StorageSpec;
import svc.platform.tenancy.Tenant;
import svc.storage.StorageHttp.Answer;
import svc.testing.DatabaseProxy;

/** Without S3 or PostgreSQL each call has its documented answer. */
class OutagesTest {
    @Test
    void withoutS3AnUploadAndADownloadFailAndTheRestWorks() {
        try (var storage = new StorageForTests()) {
            storage.project("one");
            storage.bucket("one", "b", true);
            storage.upload("one", "b/f", SERVICE, "x");
            storage.loseStore();

            for (Answer failed : new Answer[] {
                storage.upload("one", "b/g", SERVICE, "y"), storage.get("one", "/object/public/b/f", "")
            }) {
                assertThat(failed.status()).as(failed.toString()).isEqualTo(502);
                assertThat(failed.text("message")).startsWith("The object store failed or is unreachable");
                assertThat(failed.text("request_id")).isEqualTo("test");
                assertThat(failed.header("retry-after")).isEqualTo("1");
            }
            assertThat(storage.call("one", "POST", "/object/list/b", SERVICE, "{\"prefix\":\"\"}")
                            .json())
                    .hasSize(1);
            assertThat(storage.call("one", "DELETE", "/object/b/f", SERVICE).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void withoutPostgresqlEveryCallSaysSo() {
        try (var storage = new StorageForTests()) {
            Tenant there = storage.project("one");
            storage.bucket("one", "b", true);
            storage.serve(new Tenant(
                    "one",
                    there.names(),
                    there.scope(),
                    there.masterKeyVersion(),
                    there.keyVersions(),
                    new Tenant.DatabaseAddress("nowhere", "jdbc:postgresql://127.0.0.1:9/nothing"),
                    there.organization(),
                    there.restUrl(),
                    there.rest()));
            for (Answer failed : new Answer[] {
                storage.upload("one", "b/g", SERVICE, "y"), storage.get("one", "/object/public/b/f", "")
            }) {
                assertThat(failed.status()).as(failed.toString()).isEqualTo(503);
                assertThat(failed.text("error")).isEqualTo("DatabaseUnavailable");
            }
        }
    }

    @Test
    void aFileStaysWhenItIsUnknownWhetherItsRowWasWritten() {
        try (var storage = new StorageForTests()) {
            Tenant there = storage.project("one");
            storage.bucket("one", "b", true);
            storage.upload("one", "b/f", SERVICE, "x");
            try (var proxy = new DatabaseProxy(there.database().jdbcUrl(), false)) {
                storage.serve(proxy.before(there));
                for (Supplier<Answer> change : List.<Supplier<Answer>>of(
                        () -> storage.upload("one", "b/lost", SERVICE, "y"),
                        () -> storage.call(
                                "one",
                                "POST",
                                "/object/copy",
                                SERVICE,
                                "{\"bucketId\":\"b\",\"sourceKey\":\"f\",\"destinationKey\":\"lost too\"}"))) {
                    int cuts = proxy.cuts();
                    proxy.cutBehind("\"name\": \"lost");
                    assertThat(change.get().status()).isEqualTo(503);
                    assertThat(proxy.cuts()).isEqualTo(cuts + 1);
                }
            }
            storage.serve(there);
            await().until(storage::idle);
            assertThat(storage.contents("one")).isEqualTo(storage.named("one")).hasSize(3);
            assertThat(storage.get("one", "/object/b/lost", SERVICE).body()).isEqualTo("y");
            assertThat(storage.get("one", "/object/b/lost%20too", SERVICE).body())
                    .isEqualTo("x");
        }
    }

    @Test
    void aDatabaseThatGoesAwayDuringAnUploadLeavesNothingForLong() throws IOException {
        try (var storage = new StorageForTests()) {
            Tenant there = storage.project("one");
            storage.bucket("one", "b", true);
            storage.upload("one", "b/f", SERVICE, "old");
            try (var proxy = new DatabaseProxy(there.database().jdbcUrl(), false);
                    var socket = new Socket("127.0.0.1", storage.port())) {
                storage.serve(proxy.before(there));
                socket.getOutputStream()
                        .write(("POST /one/object/b/f HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n"
                                        + "X-Upsert: true\r\nContent-Length: 4\r\n\r\nne")
                                .getBytes(StandardCharsets.US_ASCII));
                // Its right was tried; the rest of the body is waited for.
                await().until(() -> storage.budget().held() > 0);
                await().until(() -> proxy.writes() > 1);
                proxy.cutAfter(0);
                socket.getOutputStream().write("w!".getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
                assertThat(answer).isEqualTo("HTTP/1.1 503");
            }
            storage.serve(there);
            await().until(storage::idle);
            assertThat(storage.get("one", "/object/b/f", SERVICE).body()).isIn("old", "new!");
            storage.sweep("one");
            assertThat(storage.contents("one")).isEqualTo(storage.named("one")).hasSize(1);
        }
    }

    @Test
    void aProjectWithoutTheServiceSaysSo() {
        try (var storage = new StorageForTests()) {
            Tenant one = storage.project("one");
            storage.serve(one.withStorage(new StorageSpec(false, null, null, null, null)));
            assertThat(storage.get("one", "/bucket", SERVICE).refusal())
                    .isEqualTo("409 FeatureNotEnabled: Storage is disabled for this project");
        }
    }
}
