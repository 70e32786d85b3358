package svc.rest.filter;

import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;

/** Spaces within filters, where PostgREST accepts them. */
class SpacesTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @Test
    void aSpaceMayStandBetweenAnOperatorAndItsGroup() {
        FIXTURE.ask("GET /todo?select=id&or=(id.eq.1,and (id.gt.1, id.lt.3))&order=id")
                .answers("[{\"id\":1},{\"id\":2}]");
        FIXTURE.ask("GET /todo?select=id&or= ( id.eq.1 , not.and  (id.lt.3) )&order=id")
                .answers("[{\"id\":1},{\"id\":3}]");
        FIXTURE.ask("GET /todo?select=id&and=(or (id.eq.1,id.eq.2),or(id.eq.2,id.eq.3))")
                .answers("[{\"id\":2}]");
        FIXTURE.ask("GET /todo?or=(and .eq.1)").fails(400, "42703");
    }

    @Test
    void aListOfSpacesIsEmpty() {
        FIXTURE.ask("GET /todo?select=id&id=in.( )").status(200).answers("[]");
        FIXTURE.ask("GET /todo?select=id&id=not.in.(  )&order=id").answers("[{\"id\":1},{\"id\":2},{\"id\":3}]");
        FIXTURE.ask("GET /todo?select=id&id=in.( 1,2) &order=id").answers("[{\"id\":1},{\"id\":2}]");
    }
}
