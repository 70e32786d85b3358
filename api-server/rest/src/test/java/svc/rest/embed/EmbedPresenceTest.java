package svc.rest.embed;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Null tests on resources, and resources that only filter. */
class EmbedPresenceTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            projects?select=id,clients()&clients=is.null | [{"id":5}]
            projects?select=id,clients()&clients=not.is.null&order=id | [{"id":1},{"id":2},{"id":3},{"id":4}]
            projects?select=id,tasks()&tasks=is.null | [{"id":5}]
            projects?select=id,c:clients(id),tasks(id)&or=(c.is.null,tasks.not.is.null)&order=id | [{"id":1,"c":{"id": 1},"tasks":[{"id": 1}, {"id": 2}]},{"id":2,"c":{"id": 1},"tasks":[{"id": 3}, {"id": 4}]},{"id":3,"c":{"id": 2},"tasks":[{"id": 5}, {"id": 6}]},{"id":4,"c":{"id": 2},"tasks":[{"id": 7}, {"id": 8}]},{"id":5,"c":null,"tasks":[]}]
            """)
    void rowsAreChosenByTheResource(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }
}
