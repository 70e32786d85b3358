package svc.rest.aggregate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Conditions on groups, and order by aggregates: not a part of PostgREST. */
class HavingTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            projects?select=client_id,total:budget.sum()&having=(total.gt.7) | [{"client_id":1,"total":30.50}]
            projects?select=client_id,budget.sum(),n:count()&having=(sum.gt.1,n.gte.2)&order=client_id | [{"client_id":1,"sum":30.50,"n":2},{"client_id":2,"sum":6,"n":2}]
            projects?select=client_id,n:count()&having=(or(n.eq.1,n.gt.5),n.in.(1,2))&order=client_id | [{"client_id":null,"n":1}]
            projects?select=client_id,total:budget.sum()&order=total.desc | [{"client_id":1,"total":30.50},{"client_id":2,"total":6},{"client_id":null,"total":0}]
            projects?select=client_id,count()&order=count.desc,client_id&limit=1 | [{"client_id":1,"count":2}]
            clients?select=name,projects(name,budget.max())&projects.having=(max.gt.4)&projects.order=max&id=eq.1 | [{"name":"Microsoft","projects":[{"max": 10.50, "name": "Windows 7"}, {"max": 20, "name": "Windows 10"}]}]
            """)
    void groupsAreChosen(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }

    @Test
    void groupsAreCounted() {
        FIXTURE.ask("GET /projects?select=client_id,total:budget.sum()&having=(total.gt.1)&limit=1")
                .prefer("count=exact")
                .status(206)
                .has("Content-Range", "0-0/2");
    }

    @Test
    void onlyAggregatesOfTheRequest() {
        FIXTURE.ask("GET /projects?select=client_id,budget.sum()&having=(client_id.eq.1)")
                .fails(400, "PGRST100")
                .contains("'client_id' is not an aggregate of this request");
        FIXTURE.ask("GET /projects?select=id&having=(id.eq.1)").fails(400, "PGRST100");
        FIXTURE.ask("GET /projects?select=count()&having=(count.gt.x)").fails(400, "22P02");
        FIXTURE.ask("GET /projects?select=count()&having=(count").fails(400, "PGRST100");
    }

    @Test
    void aColumnOfThatNameIsFiltered() {
        FIXTURE.ask("GET /projects?having=eq.1").fails(400, "42703");
    }
}
