package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Lists of projects: the header Link leads from page to page. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ProjectPagesTest {
    private static final String BASE = "http://api.svc.example";

    private final String slug = "pages-" + Long.toString(System.nanoTime(), 36);
    private final String token = Http.api(TestingPlatform.ADMIN)
            .send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\"}")
            .json()
            .at("/token/token")
            .asText();
    private final Http api = Http.api(token);

    private static Optional<String> next(Http.Answer page) {
        assertThat(page.status()).as(page.toString()).isEqualTo(200);
        return page.header("link").map(link -> {
            assertThat(link).startsWith("<" + BASE + "/v1/").endsWith(">; rel=\"next\"");
            return link.substring(BASE.length() + 1, link.indexOf('>'));
        });
    }

    /** The refs of all pages, in their order. */
    private List<String> walked(String first, String projects) {
        List<String> refs = new ArrayList<>();
        Optional<String> path = Optional.of(first);
        while (path.isPresent()) {
            Http.Answer page = api.get(path.get());
            for (JsonNode project : page.json().at(projects)) {
                refs.add(project.get("ref").asText());
            }
            path = next(page);
        }
        return refs;
    }

    @Test
    void everyPageLeadsToTheNextAndTheLastToNone() {
        List<String> refs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            refs.add(ProjectForTests.create(token, "page & " + i).ref());
        }
        ProjectForTests.create(token, "another");
        String ofOrganization = "/v1/organizations/" + slug + "/projects";

        assertThat(walked("/v1/projects?limit=2", "")).hasSize(4).containsAll(refs);
        assertThat(walked(ofOrganization + "?limit=1&search=page%20%26&sort=name_asc", "/projects"))
                .isEqualTo(refs);
        assertThat(next(api.get("/v1/projects"))).isEmpty();
        assertThat(next(api.get("/v1/projects?limit=4"))).isEmpty();
        assertThat(next(api.get(ofOrganization))).isEmpty();
        assertThat(next(api.get(ofOrganization + "?limit=1&offset=9"))).isEmpty();
    }
}
