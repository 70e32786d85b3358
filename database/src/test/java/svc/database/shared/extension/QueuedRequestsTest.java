package svc.database.shared.extension;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** HTTP requests of a project: queued in the caller's transaction, within the project's own limit, seen by its own server side. */
class QueuedRequestsTest {
    private Tenant tenant;
    private Tenant neighbour;

    @BeforeEach
    void createProjects() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.newTenant();
    }

    @Test
    void aRequestHasWhatItWasGiven() throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, """
                    SELECT svc_net.http_post('https://example.com/hook?a=1#part', '{"x": 1}', '{"q": "ä b", "p": "1"}',
                        '{"Authorization": "Bearer t"}', 2000);
                    SELECT svc_net.http_get('http://example.com');
                    SELECT svc_net.http_delete('http://example.com/thing/1')""");
            assertThat(Sql.column(owner, """
                            SELECT concat_ws('|', method, url, headers, convert_from(body, 'UTF8'), timeout_milliseconds)
                            FROM svc_net.http_request_queue ORDER BY id"""))
                    .containsExactly(
                            "POST|https://example.com/hook?a=1&p=1&q=%C3%A4%20b|"
                                    + "{\"Content-Type\": \"application/json\", \"Authorization\": \"Bearer t\"}|{\"x\": 1}|2000",
                            "GET|http://example.com|{}|5000", "DELETE|http://example.com/thing/1|{}|5000");
        }
    }

    @Test
    void whatIsRolledBackIsNotQueued() throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, "BEGIN; SELECT svc_net.http_get('http://example.com'); ROLLBACK");
            assertThat(Sql.column(owner, "SELECT id FROM svc_net.http_request_queue"))
                    .isEmpty();
        }
    }

    @Test
    void aTriggerOfManyRowsFillsTheQuotaOfItsProjectOnly() throws Exception {
        try (Connection owner = tenant.owner();
                Connection other = neighbour.owner()) {
            Sql.run(owner, tenant.fill("""
                    CREATE TABLE $S.things (id int);
                    CREATE FUNCTION $S.tell() RETURNS trigger LANGUAGE plpgsql AS
                        'BEGIN PERFORM svc_net.http_get(''http://example.com''); RETURN NEW; END';
                    CREATE TRIGGER tell AFTER INSERT ON $S.things FOR EACH ROW EXECUTE FUNCTION $S.tell();
                    INSERT INTO $S.things SELECT generate_series(1, 9000)"""));
            assertThat(Sql.state(owner, tenant.fill("INSERT INTO $S.things SELECT generate_series(1, 1000000)")))
                    .isEqualTo("53400");
            assertThat(Sql.value(owner, "SELECT count(*) FROM svc_net.http_request_queue"))
                    .isEqualTo("9000");
            assertThat(Sql.state(other, "SELECT svc_net.http_get('http://example.com')"))
                    .isEqualTo("00000");
            // What one request may cost is bounded as well.
            assertThat(Sql.state(
                            other,
                            "SELECT svc_net.http_post('http://example.com', to_jsonb(repeat('x', 200000)))"
                                    + " FROM generate_series(1, 100)"))
                    .isEqualTo("53400");
            assertThat(Sql.state(
                            other, "SELECT svc_net.http_post('http://example.com', to_jsonb(repeat('x', 262144)))"))
                    .isEqualTo("54000");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'ftp://example.com'",
                "'example.com'",
                "'http://'",
                "'http:///path'",
                "'http://user:secret@example.com/'",
                "'http://exa mple.com/'",
                "E'http://example.com/\\r\\nHost: inside'",
                "'file:///etc/passwd'",
                "'http://example.com:99999/'",
                "'http://example.com:0/'",
                "'http://example.com:/'",
                "'https://[2001:db8::1]:70000/x'",
                "'http://example.com/' || repeat('x', 8192)",
                "''",
                "NULL"
            })
    void anAddressThatIsNoneIsRefused(String url) throws Exception {
        try (Connection owner = tenant.owner()) {
            assertThat(Sql.state(owner, "SELECT svc_net.http_get(" + url + ")")).isEqualTo("22023");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'{\"Host\": \"inside\"}'",
                "'{\"content-length\": \"1\"}'",
                "'{\"Proxy-Authorization\": \"x\"}'",
                "'{\"X-Forwarded-For\": \"192.0.2.1\"}'",
                "'{\"Forwarded\": \"for=192.0.2.1\"}'",
                "'{\"a b\": \"x\"}'",
                "'{\"a\": \"x\\ny\"}'",
                "'{\"\": \"x\"}'",
                "'{\"a\": null}'",
                "'[]'",
                "jsonb_build_object('a', repeat('x', 40000))"
            })
    void headersOfTheConnectionAndBrokenOnesAreRefused(String headers) throws Exception {
        try (Connection owner = tenant.owner()) {
            assertThat(Sql.state(owner, "SELECT svc_net.http_get('http://example.com', headers := " + headers + ")"))
                    .isEqualTo("22023");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com:65535/x",
                "https://[2001:db8::1]:8443/x",
                "https://[2001:db8::1]/a:b",
                "http://example.com/a:99999"
            })
    void portsAndAddressesInBracketsAreTaken(String url) throws Exception {
        try (Connection owner = tenant.owner()) {
            assertThat(Sql.column(owner, "SELECT svc_net.http_get('" + url + "') > 0"))
                    .containsExactly("t");
        }
    }

    /** As a webhook of another platform was made: it must not fail each write of its table. */
    @Test
    void aLongerTimeoutIsCut() throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, "SELECT svc_net.http_get('http://example.com', timeout_milliseconds := 120000)");
            assertThat(Sql.column(owner, "SELECT timeout_milliseconds FROM svc_net.http_request_queue"))
                    .containsExactly("60000");
            assertThat(Sql.state(owner, "SELECT svc_net.http_get('http://example.com', timeout_milliseconds := 0)"))
                    .isEqualTo("22023");
        }
    }

    @Test
    void onlyTheServerSideOfAProjectReadsItsRequests() throws Exception {
        try (Connection owner = tenant.owner();
                Connection other = neighbour.owner();
                Connection api = tenant.login("api");
                Connection service = tenant.login("service")) {
            Sql.run(api, tenant.fill("SET ROLE $S_anon; SELECT svc_net.http_get('http://example.com')"));
            assertThat(Sql.column(api, "SELECT id FROM svc_net.http_request_queue"))
                    .isEmpty();
            assertThat(Sql.column(service, "SELECT id FROM svc_net.http_request_queue"))
                    .hasSize(1);
            assertThat(Sql.column(owner, "SELECT id FROM svc_net.http_request_queue"))
                    .hasSize(1);
            assertThat(Sql.column(other, "SELECT id FROM svc_net.http_request_queue"))
                    .isEmpty();
            String id = Sql.value(owner, "SELECT id FROM svc_net.http_request_queue");
            assertThat(Sql.value(owner, "SELECT status FROM svc_net.http_collect_response(" + id + ")"))
                    .isEqualTo("PENDING");
            assertThat(Sql.value(other, "SELECT status FROM svc_net.http_collect_response(" + id + ")"))
                    .isEqualTo("ERROR");
            for (String hostile : List.of(
                    "SELECT * FROM svc_net.queued_request",
                    "SELECT * FROM svc_net.stored_response",
                    "DELETE FROM svc_net.http_request_queue",
                    "INSERT INTO svc_net._http_response (id) VALUES (1)",
                    "SELECT svc_net.queue_request('PUT', 'http://example.com', '{}', '{}', 1, NULL)")) {
                assertThat(Sql.state(other, hostile)).as(hostile).isEqualTo("42501");
            }
        }
    }

    @Test
    void theTriggerOfAWebhookQueuesTheRow() throws Exception {
        try (Connection owner = tenant.owner();
                Connection service = tenant.login("service")) {
            Sql.run(owner, tenant.fill("""
                    CREATE TABLE $S.orders (id int, note text);
                    GRANT ALL ON $S.orders TO $S_service;
                    CREATE TRIGGER hook AFTER INSERT OR UPDATE OR DELETE ON $S.orders FOR EACH ROW
                        EXECUTE FUNCTION svc_supabase_functions.http_request(
                            'https://example.com/hook', 'POST', '{"Content-type":"application/json"}', '{}', '1000')"""));
            Sql.run(service, tenant.fill("INSERT INTO $S.orders VALUES (1, 'a')"));
            Sql.run(service, tenant.fill("UPDATE $S.orders SET note = 'b'"));
            Sql.run(service, tenant.fill("DELETE FROM $S.orders"));
            assertThat(Sql.column(
                            owner,
                            "SELECT convert_from(body, 'UTF8')::jsonb FROM svc_net.http_request_queue ORDER BY id"))
                    .containsExactly(
                            payload("INSERT", "{\"id\": 1, \"note\": \"a\"}", "null"),
                            payload("UPDATE", "{\"id\": 1, \"note\": \"b\"}", "{\"id\": 1, \"note\": \"a\"}"),
                            payload("DELETE", "null", "{\"id\": 1, \"note\": \"b\"}"));
        }
    }

    private static String payload(String type, String record, String old) {
        return "{\"type\": \"" + type + "\", \"table\": \"orders\", \"record\": " + record
                + ", \"schema\": \"public\", \"old_record\": " + old + "}";
    }
}
