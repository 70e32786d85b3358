package svc.rest.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Rows that are alike as one: not a part of PostgREST. */
class DistinctTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            projects?select=client_id&distinct&order=client_id | [{"client_id":1},{"client_id":2},{"client_id":null}]
            projects?select=client_id&distinct=true&order=client_id.desc | [{"client_id":null},{"client_id":2},{"client_id":1}]
            projects?select=id,client_id&distinct=client_id&order=budget.desc&client_id=not.is.null | [{"id":2,"client_id":1},{"id":3,"client_id":2}]
            projects?select=id&distinct=client_id&order=client_id.desc.nullslast,id.desc | [{"id":4},{"id":2},{"id":5}]
            projects?select=clients(name)&distinct&client_id=eq.1 | [{"clients":{"name": "Microsoft"}}]
            clients?select=name,tasks:projects(client_id)&projects.distinct&id=eq.1 | [{"name":"Microsoft","tasks":[{"client_id": 1}]}]
            """)
    void rowsAreAlikeOnce(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }

    @Test
    void whatIsLeftIsCounted() {
        FIXTURE.ask("GET /projects?select=client_id&distinct&limit=2&order=client_id")
                .prefer("count=exact")
                .status(206)
                .has("Content-Range", "0-1/3");
    }

    @Test
    void aColumnOfThatNameIsFiltered() {
        FIXTURE.ask("GET /projects?distinct=eq.1").fails(400, "42703");
    }
}
