package svc.rest.injection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/** Text of a request never becomes SQL, wherever it stands in the request. */
class InjectionTest {
    private static final List<String> ATTACKS = List.of(
            "'; DROP TABLE victim; --",
            "\"; DROP TABLE victim; --",
            "') OR true --",
            "1) UNION SELECT secret FROM victim --",
            "\\'; DROP TABLE victim; --",
            "x\" FROM victim; --",
            "$1",
            "?",
            "{fn now()}",
            "$$; DROP TABLE victim; $$",
            "*/ DROP TABLE victim /*",
            "\",(select secret from victim),\"",
            "') ON CONFLICT DO NOTHING; DELETE FROM victim; --",
            "\u2019; DROP TABLE victim",
            "a\nb\r\0c");

    private static final List<String> QUERIES = List.of(
            "/%s",
            "/open?%s=eq.1",
            "/open?text=eq.%s",
            "/open?text=%s",
            "/open?text=in.(%s)",
            "/open?text=in.(\"%s\")",
            "/open?text=is.%s",
            "/open?or=(text.eq.%s)",
            "/open?or=(%s.eq.1)",
            "/open?select=%s",
            "/open?select=\"%s\"",
            "/open?select=%s:text",
            "/open?select=text::%s",
            "/open?select=doc->%s",
            "/open?select=doc->>\"%s\"",
            "/open?doc->%s->>x=eq.1",
            "/open?order=%s",
            "/open?order=doc->%s.desc",
            "/open?limit=%s",
            "/open?offset=%s",
            "/open?columns=%s",
            "/open?on_conflict=%s",
            "/open?select=id,%s(*)",
            "/open?select=id,open!%s(*)",
            "/open?select=...%s(id)",
            "/open?select=id.sum()::%s",
            "/open?text=plfts(%s).x",
            "/open?text=wfts.%s",
            "/open?text=like(any).%s",
            "/open?%s.id=eq.1",
            "/open?order=%s(id)",
            "/open?distinct=%s",
            "/open?having=(%s.gt.1)",
            "/open?%s");

    private static TestingProjects projects;
    private static TestingDataPlane plane;
    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        projects = TestingProjects.create();
        tenant = projects.project("inject12");
        projects.asOwner(tenant, """
                CREATE TABLE open (id int PRIMARY KEY, text text, doc jsonb);
                INSERT INTO open VALUES (1, 'visible', '{}');
                CREATE TABLE victim (secret text);
                INSERT INTO victim VALUES ('s3cret');
                ALTER TABLE victim ENABLE ROW LEVEL SECURITY;
                """);
        plane = new TestingDataPlane(projects, PoolSettings.defaults(), true);
        plane.serve(tenant);
    }

    @AfterAll
    static void close() {
        plane.close();
    }

    @Test
    void noPieceOfARequestReachesTheStatementsText() {
        List<String> broken = new ArrayList<>();
        for (String attack : ATTACKS) {
            String encoded = URLEncoder.encode(attack, StandardCharsets.UTF_8);
            for (String query : QUERIES) {
                String target = query.replace("\"", "%22").replace(">", "%3E").replace("%s", encoded);
                judge("GET " + query + " with " + attack, "GET", target, Map.of(), null, broken);
                judge(
                        "DELETE " + query + " with " + attack,
                        "DELETE",
                        "/nothing_here" + target.replace("/open", ""),
                        Map.of(),
                        null,
                        broken);
                judge("POST " + query, "POST", target, Map.of("Prefer", "return=representation"), "{\"id\":1}", broken);
            }
            String json = attack.replace("\\", "\\\\")
                    .replace("\"", "\\\"")
                    .replace("\n", "\\n")
                    .replace("\r", "\\r")
                    .replace("\0", "\\u0000");
            judge("value", "PATCH", "/open?id=eq.1", Map.of(), "{\"text\":\"" + json + "\"}", broken);
            judge("key", "PATCH", "/open?id=eq.1", Map.of(), "{\"" + json + "\":1}", broken);
            if (attack.chars().allMatch(c -> c >= ' ' && c < 127)) {
                judge("profile", "GET", "/open", Map.of("Accept-Profile", attack), null, broken);
                judge("accept", "GET", "/open", Map.of("Accept", attack), null, broken);
                judge("prefer", "GET", "/open", Map.of("Prefer", attack), null, broken);
                judge("range", "GET", "/open", Map.of("Range", attack), null, broken);
                judge("any header", "GET", "/open", Map.of("X-Anything", attack), null, broken);
            }
        }
        assertThat(broken).isEmpty();
        assertThat(projects.ask("SELECT secret FROM " + tenant.names().schemaName() + ".victim"))
                .isEqualTo("s3cret");
    }

    private void judge(
            String what, String method, String target, Map<String, String> headers, String body, List<String> broken) {
        HttpResponse<String> answer = plane.request(tenant, method, target, headers, body);
        boolean syntaxError = answer.body().contains("\"42601\"");
        boolean leaked = answer.body().contains("s3cret");
        if (answer.statusCode() >= 500 || syntaxError || leaked) {
            broken.add(what + ": " + answer.statusCode() + " " + answer.body());
        }
    }
}
