package svc.rest.spread;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Spread to-one resources: their columns stand among those of the row. */
class SpreadToOneTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            projects?select=id,...clients(client:name)&order=id | [{"id":1,"client":"Microsoft"},{"id":2,"client":"Microsoft"},{"id":3,"client":"Apple"},{"id":4,"client":"Apple"},{"id":5,"client":null}]
            projects?select=id,...clients(*)&order=id&limit=1 | [{"id":1,"id":1,"name":"Microsoft","note":null}]
            projects?select=id,...clients(n:name,note)&order=clients(n).desc.nullsfirst,id | [{"id":5,"n":null,"note":null},{"id":1,"n":"Microsoft","note":null},{"id":2,"n":"Microsoft","note":null},{"id":3,"n":"Apple","note":"n"},{"id":4,"n":"Apple","note":"n"}]
            tasks?select=id,...projects(p:name,...clients(c:name))&order=id&limit=2 | [{"id":1,"p":"Windows 7","c":"Microsoft"},{"id":2,"p":"Windows 7","c":"Microsoft"}]
            tasks?select=id,...projects(p:name,clients(name))&order=id&limit=1 | [{"id":1,"p":"Windows 7","clients":{"name": "Microsoft"}}]
            tasks?select=id,...projects!inner(p:name,...clients!inner(c:name))&projects.clients.name=eq.Apple&order=id&limit=2 | [{"id":5,"p":"IOS","c":"Apple"},{"id":6,"p":"IOS","c":"Apple"}]
            """)
    void columnsAreLifted(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }
}
