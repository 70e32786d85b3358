package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.DatabaseRole;
import svc.storage.rows.EventRows;

/** Neither receivers nor the callers that name them disturb other projects or the platform. */
class HostileWebhooksTest extends WebhookFixture {
    @Test
    void aReceiverThatIsSilentDelaysNoOther() {
        receiver.isSilent();
        serve(one, hook("silent", receiver.url()), hook("well", other.url()));
        serve(two, hook("silent", receiver.url()), hook("well", other.url()));
        put(one, "b/x");
        put(two, "b/x");
        awaitEvents(other, "ObjectCreated:Put b/x", "ObjectCreated:Put b/x");
        put(one, "b/y");
        await().untilAsserted(() -> assertThat(other.events()).hasSize(3));
        await().until(() -> state(one).path(0).path("error").asText().contains("longer than"));
        assertThat(state(one).path(0).path("pending").asInt()).isEqualTo(2);
        await().untilAsserted(() ->
                assertThat(state(one).path(1).path("pending").asInt()).isZero());
    }

    @Test
    void aRedirectIsNotFollowed() {
        receiver.answers(307, Map.of("Location", other.url()));
        serve(one, hook("all", receiver.url()));
        put(one, "b/x");
        await().until(() -> state(one).path(0).path("error").asText().equals("it answered 307"));
        assertThat(other.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/",
                "http://169.254.169.254/latest/meta-data",
                "http://[::1]:6379/",
                "http://[::ffff:10.0.0.1]/",
                "http://0x0a.0.0.1/",
                "http://user@127.0.0.1/",
            })
    void anAddressInsideIsNotCalled(String url) {
        serve(one, hook("inside", url), hook("well", other.url()));
        put(one, "b/x");
        awaitEvents(other, "ObjectCreated:Put b/x");
        await().until(() -> state(one).path(0).has("error"));
        assertThat(state(one).path(0).path("pending").asInt()).isEqualTo(1);
    }

    @Test
    void withoutItsSecretNothingIsSent() {
        serve(one, hook("all", receiver.url()));
        storage.serve(storage.tenant(one).withAuthSecrets(List.of()));
        put(one, "b/x");
        await().until(() -> state(one).path(0).path("error").asText().contains("there is no Secret hooks/storage"));
        assertThat(receiver.calls()).isEmpty();
    }

    /** Also of another project, whose seal does not fit. */
    @Test
    void aSecretOfAnotherProjectDoesNotSign() {
        serve(two, hook("all", receiver.url()));
        var foreign = storage.tenant(two).authSecrets();
        serve(one, hook("all", receiver.url()));
        storage.serve(storage.tenant(one).withAuthSecrets(foreign));
        put(one, "b/x");
        await().until(() -> state(one).path(0).has("error"));
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void theQueueIsBoundedInNumberAndAge() {
        receiver.answers(503, Map.of("Retry-After", "600"));
        serve(one, hook("all", receiver.url()));
        storage.projects()
                .asOperator("INSERT INTO " + table(one) + " (webhook, event, created_at, next_at) SELECT 'all',"
                        + " '{\"event\":\"ObjectCreated:Put\",\"bucket\":\"b\",\"name\":\"n\"}',"
                        + " now() - n * interval '1 millisecond', now() + interval '1 hour'"
                        + " FROM generate_series(1, " + (EventRows.MAX_WAITING + 500) + ") n");
        storage.webhooks().recover(storage.tenant(one));
        assertThat(state(one).path(0).path("pending").asInt()).isEqualTo(EventRows.MAX_WAITING);
        storage.projects().asOperator("UPDATE " + table(one) + " SET created_at = now() - interval '25 hours'");
        storage.webhooks().recover(storage.tenant(one));
        assertThat(state(one).path(0).path("pending").asInt()).isZero();
    }

    @Test
    void onlyTheServiceRoleSeesThem() {
        serve(one, hook("all", receiver.url()));
        for (String bearer : List.of("", ALICE)) {
            assertThat(storage.get(one, "/webhooks", bearer).status()).isEqualTo(403);
        }
        assertThat(state(two)).isEmpty();
        assertThat(state(one).path(0).path("name").asText()).isEqualTo("all");
    }

    @Test
    void sqlOfTheTenantReachesNeitherTheQueueNorTheTrigger() {
        var names = storage.tenant(one).names();
        for (DatabaseRole role :
                List.of(DatabaseRole.OWNER, DatabaseRole.ANON, DatabaseRole.AUTHENTICATED, DatabaseRole.SERVICE)) {
            for (String right : List.of("SELECT", "INSERT", "UPDATE", "DELETE", "TRIGGER", "REFERENCES", "TRUNCATE")) {
                assertThat(storage.projects()
                                .ask("SELECT has_table_privilege('"
                                        + names.role(role).name() + "', '" + table(one) + "', '" + right + "')"))
                        .as(role + " " + right)
                        .isEqualTo("f");
            }
            assertThat(storage.projects()
                            .ask("SELECT has_function_privilege('"
                                    + names.role(role).name()
                                    + "', 'svc_functions.storage_queue_events()', 'EXECUTE')"))
                    .isEqualTo("f");
        }
    }

    /** A trigger of the tenant's can set what the service sets; it gets events of its own project, and few. */
    @Test
    void aForgedSettingQueuesLittleAndOnlyForItsProject() {
        List<String> forged = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            forged.add("{\"name\":\"w" + i + "\",\"events\":[\"ObjectCreated:*\"]}");
        }
        String objects = storage.tenant(one).names().storage().sql() + ".objects";
        storage.projects()
                .asOwner(
                        storage.tenant(one),
                        "CREATE FUNCTION forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                                + " PERFORM set_config('storage.webhooks', '[" + String.join(",", forged)
                                + "]', true); RETURN NEW; END $$");
        storage.projects()
                .asOperator("CREATE TRIGGER forge BEFORE INSERT ON " + objects + " FOR EACH ROW EXECUTE FUNCTION "
                        + storage.tenant(one).names().schema().sql() + ".forge()");
        put(one, "b/x");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table(one))).isEqualTo("5");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table(two))).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1,2]", "[{\"name\":7}]", "[{\"name\":\"w\",\"events\":3}]", "[null]", "{}", "[[]]"})
    void aForgedSettingThatIsNoneQueuesNothing(String text) {
        String objects = storage.tenant(one).names().storage().sql() + ".objects";
        storage.projects()
                .asOperator("CREATE FUNCTION "
                        + storage.tenant(one).names().schema().sql()
                        + ".forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " PERFORM set_config('storage.webhooks', '" + text + "', true); RETURN NEW; END $$");
        storage.projects()
                .asOperator("CREATE TRIGGER forge BEFORE INSERT ON " + objects + " FOR EACH ROW EXECUTE FUNCTION "
                        + storage.tenant(one).names().schema().sql() + ".forge()");
        put(one, "b/x");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table(one))).isEqualTo("0");
    }
}
