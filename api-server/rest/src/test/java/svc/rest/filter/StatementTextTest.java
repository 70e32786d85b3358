package svc.rest.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;
import svc.rest.plan.Planner;
import svc.rest.query.MainQuery;
import svc.rest.query.QueryBuilder;
import svc.rest.request.ApiRequestReader;

/**
 * Requests that differ in their values only are one statement, which PostgreSQL prepares once. A limit is none of these
 * values: with one that PostgreSQL does not know it plans the statement again each time.
 */
class StatementTextTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            todo?id=eq.1 | todo?id=eq.%27%3B--
            todo?id=in.(1) | todo?id=in.(1,2,3)
            todo?task=like(any).%7Ba*%7D&limit=9&offset=1 | todo?task=like(any).%7Bb,c%7D&limit=9&offset=7
            todo?tsv=fts(english).cat | todo?tsv=fts(english).dog
            todo?or=(id.eq.1,task.eq.%22x%22) | todo?or=(id.eq.2,task.eq.yy)
            projects?select=id,tasks(id)&tasks.id=gt.1&tasks.limit=5 | projects?select=id,tasks(id)&tasks.id=gt.7&tasks.limit=5
            projects?select=id,clients!inner(id)&clients.name=eq.a | projects?select=id,clients!inner(id)&clients.name=eq.b
            projects?select=client_id,count()&having=(count.gt.1) | projects?select=client_id,count()&having=(count.gt.2)
            """)
    void valuesAreNotInTheText(String one, String other) {
        MainQuery first = statement(one);
        MainQuery second = statement(other);
        assertThat(first.text()).isEqualTo(second.text());
        assertThat(first.binds()).isNotEqualTo(second.binds());
    }

    private static MainQuery statement(String request) {
        String[] parts = request.split("\\?", 2);
        var planner = new Planner(
                FIXTURE.tenant().names().schema(),
                FIXTURE.plane().schemas().current(FIXTURE.tenant()),
                FIXTURE.tenant().rest());
        return QueryBuilder.build(planner.plan(ApiRequestReader.read(
                "GET", "/" + parts[0], parts[1], MultiMap.caseInsensitiveMultiMap(), new byte[0])));
    }
}
