package svc.rest.order;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Order by columns, places in JSON, computed and related columns. */
class OrderTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            projects?select=id&order=client_id.desc.nullslast,id.desc | [{"id":4},{"id":3},{"id":2},{"id":1},{"id":5}]
            projects?select=id&order=client_id.nullsfirst,id | [{"id":5},{"id":1},{"id":2},{"id":3},{"id":4}]
            projects?select=id,clients(name)&order=clients(name).desc.nullslast,id | [{"id":1,"clients":{"name": "Microsoft"}},{"id":2,"clients":{"name": "Microsoft"}},{"id":3,"clients":{"name": "Apple"}},{"id":4,"clients":{"name": "Apple"}},{"id":5,"clients":null}]
            projects?select=id,...clients(n:name,note)&order=clients(n).desc.nullsfirst,id | [{"id":5,"n":null,"note":null},{"id":1,"n":"Microsoft","note":null},{"id":2,"n":"Microsoft","note":null},{"id":3,"n":"Apple","note":"n"},{"id":4,"n":"Apple","note":"n"}]
            clients?select=name&order=upper_name.desc | [{"name":"None"},{"name":"Microsoft"},{"name":"Apple"}]
            todo?select=id&order=extra->k->>n.desc.nullslast,id | [{"id":2},{"id":1},{"id":3}]
            todo?select=id&order="odd col".desc.nullslast | [{"id":2},{"id":1},{"id":3}]
            tasks?select=id&order=id.desc&limit=2 | [{"id":8},{"id":7}]
            tasks?select=id&order=id&limit=2&offset=3 | [{"id":4},{"id":5}]
            projects?select=id,clients!inner(name)&order=clients(name),id.desc | [{"id":4,"clients":{"name": "Apple"}},{"id":3,"clients":{"name": "Apple"}},{"id":2,"clients":{"name": "Microsoft"}},{"id":1,"clients":{"name": "Microsoft"}}]
            tasks?select=id,projects(name,clients(name))&order=projects(name).desc,id&limit=1&projects.order=name | [{"id":1,"projects":{"name": "Windows 7", "clients": {"name": "Microsoft"}}}]
            """)
    void rowsComeInOrder(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }
}
