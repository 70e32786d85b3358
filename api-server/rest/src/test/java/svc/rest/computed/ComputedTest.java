package svc.rest.computed;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Functions of a row that read like columns, and like relationships. */
class ComputedTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            clients?select=name,upper_name&order=id&limit=1 | [{"name":"Microsoft","upper_name":"MICROSOFT"}]
            clients?select=*,upper_name&upper_name=eq.APPLE | [{"id":2,"name":"Apple","note":"n","upper_name":"APPLE"}]
            clients?select=name&order=upper_name.desc | [{"name":"None"},{"name":"Microsoft"},{"name":"Apple"}]
            clients?select=name,client_projects(id)&order=id | [{"name":"Microsoft","client_projects":[{"id": 1}, {"id": 2}]},{"name":"Apple","client_projects":[{"id": 3}, {"id": 4}]},{"name":"None","client_projects":[]}]
            clients?select=name,client_projects!inner(id)&client_projects.name=eq.OSX&order=id | [{"name":"Apple","client_projects":[{"id": 4}]}]
            projects?select=id,main_task(name)&order=id&limit=2 | [{"id":1,"main_task":{"name": "Design w7"}},{"id":2,"main_task":{"name": "Design w10"}}]
            projects?select=id,...main_task(name)&order=id&limit=2 | [{"id":1,"name":"Design w7"},{"id":2,"name":"Design w10"}]
            projects?select=id,main_task(name,projects(id))&order=id&limit=1 | [{"id":1,"main_task":{"name": "Design w7", "projects": {"id": 1}}}]
            """)
    void aFunctionReadsLikeAPartOfTheRow(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }
}
