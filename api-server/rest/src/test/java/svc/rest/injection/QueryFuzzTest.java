package svc.rest.injection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;

/** Fuzzes queries: no mutation of a valid query is a server error or a SQL syntax error. */
class QueryFuzzTest {
    private static final int MUTATIONS = 10_000;

    private static final List<String> VALID = List.of(
            "projects?select=id,c:clients!client_id(name,note),tasks!inner(id,users(*))&tasks.order=id.desc&limit=3",
            "projects?select=id,...clients(n:name)&order=clients(n).desc.nullslast,id&clients.name=like.*o*",
            "clients?select=name,...projects(pid:id)&projects.limit=2&projects.offset=1&projects.order=id",
            "projects?select=client_id,total:budget::int.sum()::text,count()&having=(total.gt.1,or(count.eq.2))",
            "projects?select=client_id&distinct=client_id&order=client_id&budget=gt(any).{1,2}",
            "todo?select=extra->k->>n,tags->0,t:task::text&or=(id.in.(1,2),and(done.is.not_null,due.gt.2026-01-01))",
            "todo?tsv=wfts(english).wash&r=ov.[1,9)&tags=cs.{a,\"b\"}&extra=cs.{\"k\":{\"n\":1}}&\"odd col\"=neq.x",
            "tasks?select=id,projects(name,clients())&projects.clients=not.is.null&projects.not.or=(id.eq.1,id.eq.2)");

    private static final String ALPHABET = "().,:;!*-><&=\"'\\{}[]%$?|/# +_019azAZ\u00e9\u4e2d\u0000";

    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @Test
    void everyAnswerIsAboutTheRequest() {
        var random = new Random(20_26);
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < MUTATIONS; i++) {
            String query = mutated(VALID.get(i % VALID.size()), random);
            HttpResponse<String> answer =
                    FIXTURE.plane().request(FIXTURE.tenant(), "GET", "/" + encoded(query), Map.of(), null);
            // to_tsquery gives this code to a search that it cannot read.
            boolean syntax =
                    answer.body().contains("\"42601\"") && !answer.body().contains("syntax error in tsquery");
            if (answer.statusCode() >= 500 || syntax) {
                faults.add(query + ": " + answer.statusCode() + " " + answer.body());
            }
        }
        assertThat(faults).isEmpty();
    }

    private static String mutated(String valid, Random random) {
        var query = new StringBuilder(valid);
        int start = valid.indexOf('?') + 1;
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = start + random.nextInt(query.length() - start);
            char any = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
            switch (random.nextInt(4)) {
                case 0 -> query.deleteCharAt(at);
                case 1 -> query.insert(at, any);
                case 2 -> query.setCharAt(at, any);
                default -> {
                    int end = Math.min(query.length(), at + 1 + random.nextInt(12));
                    query.insert(start + random.nextInt(at - start + 1), query.substring(at, end));
                }
            }
        }
        return query.toString();
    }

    /** Percent-encoded but for what divides a query string. */
    private static String encoded(String query) {
        int start = query.indexOf('?') + 1;
        return query.substring(0, start)
                + URLEncoder.encode(query.substring(start), StandardCharsets.UTF_8)
                        .replace("%3D", "=")
                        .replace("%26", "&");
    }
}
