package svc.rest.aggregate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Aggregates, alone, in groups, in embedded and in spread resources. */
class AggregateTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            projects?select=count() | [{"count":5}]
            projects?select=n:count() | [{"n":5}]
            projects?select=client_id,count()&order=client_id | [{"client_id":1,"count":2},{"client_id":2,"count":2},{"client_id":null,"count":1}]
            projects?select=client_id,total:budget.sum(),budget.avg(),budget.max(),budget.min()&order=client_id | [{"client_id":1,"total":30.50,"avg":15.2500000000000000,"max":20,"min":10.50},{"client_id":2,"total":6,"avg":3.0000000000000000,"max":5,"min":1},{"client_id":null,"total":0,"avg":0.00000000000000000000,"max":0,"min":0}]
            projects?select=budget.sum()::int | [{"sum":37}]
            projects?select=budget::int.sum() | [{"sum":37}]
            projects?select=s:budget::int.sum()::text | [{"s":"37"}]
            todo?select=extra->k->n::int.sum() | [{"sum":3}]
            clients?select=name,projects(count())&order=id | [{"name":"Microsoft","projects":[{"count": 2}]},{"name":"Apple","projects":[{"count": 2}]},{"name":"None","projects":[{"count": 0}]}]
            clients?select=name,projects(budget.sum(),name)&order=id&limit=1&projects.order=name | [{"name":"Microsoft","projects":[{"sum": 20, "name": "Windows 10"}, {"sum": 10.50, "name": "Windows 7"}]}]
            projects?select=count(),...clients(name)&order=clients(name) | [{"count":2,"name":"Apple"},{"count":2,"name":"Microsoft"},{"count":1,"name":null}]
            projects?select=...clients(note,name.count()),budget.sum()&order=clients(note) | [{"sum":6,"note":"n","count":2},{"sum":30.50,"note":null,"count":2}]
            tasks?select=...projects(...clients(name.max()),budget.sum()) | [{"sum":73.00,"max":"Microsoft"}]
            projects?select=...detail(count()) | [{"count":2}]
            projects?select=client_id,count(),...detail(d:count()::text)&order=client_id | [{"client_id":1,"count":2,"d":"2"},{"client_id":2,"count":2,"d":"0"},{"client_id":null,"count":1,"d":"0"}]
            tasks?select=...projects(client_id,n:count(),...detail(d:count()))&order=projects(client_id) | [{"client_id":1,"n":4,"d":4},{"client_id":2,"n":4,"d":0}]
            projects?select=...detail(d:count()),...clients(name)&having=(d.gt.0) | [{"d":2,"name":"Microsoft"}]
            projects?select=name.max(),id.min() | [{"max":"Windows 7","min":1}]
            todo?select=count()&id=gt.1 | [{"count":2}]
            """)
    void rowsAreGrouped(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }
}
