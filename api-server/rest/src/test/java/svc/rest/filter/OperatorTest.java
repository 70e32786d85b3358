package svc.rest.filter;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Every operator, on the types that have it. */
class OperatorTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            todo?select=id&tsv=fts.wash | [{"id":1}]
            todo?select=id&tsv=fts(simple).wash | [{"id":1}]
            todo?select=id&tsv=not.plfts.wash | [{"id":2}]
            todo?select=id&tsv=phfts(english).the wash | [{"id":1}]
            todo?select=id&tsv=wfts.wash or cook | [{"id":1},{"id":2}]
            todo?select=id&or=(tsv.fts(simple).wash,id.eq.2) | [{"id":1},{"id":2}]
            todo?select=id&r=ov.[4,6) | [{"id":1},{"id":2}]
            todo?select=id&r=sl.[9,10) | [{"id":1},{"id":2}]
            todo?select=id&r=sr.[0,1) | [{"id":1},{"id":2}]
            todo?select=id&r=nxr.[0,5) | [{"id":1}]
            todo?select=id&r=nxl.[5,9) | [{"id":2}]
            todo?select=id&r=adj.[9,11) | [{"id":2}]
            todo?select=id&"odd col"=eq.o1 | [{"id":1}]
            todo?select=id,"odd col"&order="odd col".desc.nullslast | [{"id":2,"odd col":"o2"},{"id":1,"odd col":"o1"},{"id":3,"odd col":null}]
            todo?select=id&tags=eq.{a,b} | [{"id":1}]
            todo?select=id&tags=cs.{a,b} | [{"id":1}]
            todo?select=id&extra=cs.{"k":{"n":1}} | [{"id":1}]
            todo?select=id&extra->k=eq.{"n":1} | [{"id":1}]
            todo?select=id&tags->>0=eq.a | [{"id":1}]
            todo?select=id&order=tags->>0 | [{"id":1},{"id":2},{"id":3}]
            todo?select=id&id=gt(any).{1,2} | [{"id":2},{"id":3}]
            todo?select=id&id=gt(all).{1,2} | [{"id":3}]
            todo?select=id&task=match(any).{^w,^c} | [{"id":1},{"id":2}]
            todo?select=id,extra->l->>-1&id=eq.1 | [{"id":1,"l":"y"}]
            todo?select=t:tags->0&id=eq.1 | [{"t":"a"}]
            todo?select=id&done=is.null | [{"id":3}]
            todo?select=id&id=isdistinct.1 | [{"id":2},{"id":3}]
            todo?select=id&task=in.("a, \\"b\\" (c)",wash) | [{"id":1},{"id":3}]
            todo?select=id&task=like(any).{w*,c*} | [{"id":1},{"id":2}]
            todo?select=id&task=ilike(all).{W*,*H} | [{"id":1}]
            todo?select=id&id=gte.2&id=lte.2 | [{"id":2}]
            todo?select=id&due=gt.2026-01-01 | [{"id":2}]
            todo?select=id&or=(task.eq."a, \\"b\\" (c)",and(id.gt.1,not.or(id.eq.2,id.eq.3))) | [{"id":3}]
            """)
    void rowsAreChosen(String request, String body) {
        FIXTURE.ask("GET /" + request).status(200).answers(body);
    }
}
