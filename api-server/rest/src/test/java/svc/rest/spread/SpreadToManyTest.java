package svc.rest.spread;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Spread to-many resources: each column is an array in the row. */
class SpreadToManyTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            clients?select=name,...projects(pid:id,title:name)&projects.order=id.desc&order=id | [{"name":"Microsoft","pid":[2, 1],"title":["Windows 10", "Windows 7"]},{"name":"Apple","pid":[4, 3],"title":["OSX", "IOS"]},{"name":"None","pid":[],"title":[]}]
            clients?select=name,...projects!inner(pid:id)&projects.id=lt.3&projects.order=id&order=id | [{"name":"Microsoft","pid":[1, 2]}]
            users?select=name,...tasks(t:id)&tasks.order=id&order=id&limit=1 | [{"name":"Angela","t":[1, 2, 3, 4]}]
            users?select=name,...tasks(t:id)&tasks.order=id&tasks.limit=2&tasks.offset=1&id=eq.1 | [{"name":"Angela","t":[2, 3]}]
            clients?select=name,...projects(...tasks(t:id))&projects.order=id&projects.tasks.order=id&id=eq.1 | [{"name":"Microsoft","t":[[1, 2], [3, 4]]}]
            clients?select=name,...projects(title:name,detail(txt))&projects.order=id&id=eq.1 | [{"name":"Microsoft","title":["Windows 7", "Windows 10"],"detail":[{"txt": "d1"}, {"txt": "d2"}]}]
            clients?select=...projects(*)&projects.order=id&id=eq.2 | [{"id":[3, 4],"name":["IOS", "OSX"],"client_id":[2, 2],"budget":[5, 1]}]
            """)
    void columnsAreArrays(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }

    @Test
    void aggregatesAreNotOffered() {
        FIXTURE.ask("GET /clients?select=name,...projects(budget.sum())")
                .fails(400, "PGRST127")
                .contains("Aggregates are not implemented for one-to-many or many-to-many spreads.");
    }
}
