package svc.rest.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.RestCall;

/** What a function gives, in each form that it can be declared to give it. */
class RpcResultTest {
    private static RpcFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = RpcFixture.serve();
    }

    private static RestCall ask(String request) {
        return fixture.ask(request);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "hello | {} | \"hello\"",
                "add_them | {\"a\":1,\"b\":\"2\"} | 3",
                "nothing | {} | null",
                "as_json | {} | {\"a\": [1, null]}",
                "three | {} | [1, 2, 3]",
                "one_project | {\"id\":3} | {\"id\":3,\"name\":\"IOS\",\"client_id\":2}",
                "one_project | {\"id\":99} | {\"id\":null,\"name\":null,\"client_id\":null}",
                "pairs | {} | [{\"n\":1,\"s\":\"one\"},{\"n\":2,\"s\":\"two\"}]",
                "out_both | {\"x\":3} | {\"double\":6,\"half\":1.5000000000000000}",
                "out_one | {\"x\":3} | {\"next\":4}",
                "inout_it | {\"x\":3} | {\"x\":13}",
                "a_record | {} | {\"a\":1,\"b\":\"x\"}",
            })
    void aFunctionsFormIsTheAnswers(String function, String body, String expected) {
        ask("POST /rpc/" + function)
                .body(body)
                .status(200)
                .has("Content-Type", "application/json; charset=utf-8")
                .answers(expected);
    }

    @Test
    void aFunctionOfNothingAnswersNothing() {
        ask("POST /rpc/write_it").body("{\"n\":5}").status(204).answers("");
        assertThat(fixture.stored("count(*) FROM $written WHERE n = 5")).isEqualTo("1");
    }

    @Test
    void rowsAreReadLikeARelation() {
        ask("POST /rpc/all_projects?select=name&client_id=eq.1&order=id.desc&limit=1")
                .body("{}")
                .status(200)
                .has("Content-Range", "0-0/*")
                .answers("[{\"name\":\"Windows 10\"}]");
        ask("GET /rpc/all_projects?select=id,client:clients(name)&id=lt.4&client.name=eq.Apple&order=id")
                .answers("[{\"id\":1,\"client\":null},{\"id\":2,\"client\":null},"
                        + "{\"id\":3,\"client\":{\"name\": \"Apple\"}}]");
        ask("GET /rpc/all_projects?select=id,siblings(id)&id=eq.1").answers("[{\"id\":1,\"siblings\":[{\"id\": 2}]}]");
        ask("GET /rpc/all_projects?select=*,siblings(id)&id=eq.1")
                .answers("[{\"id\":1,\"name\":\"Windows 7\",\"client_id\":1,\"siblings\":[{\"id\": 2}]}]");
        ask("GET /rpc/all_projects?select=*,loud_name&id=eq.1")
                .answers("[{\"id\":1,\"name\":\"Windows 7\",\"client_id\":1,\"loud_name\":\"WINDOWS 7\"}]");
        ask("GET /rpc/all_projects?loud_name=eq.IOS").answers("[{\"id\":3,\"name\":\"IOS\",\"client_id\":2}]");
        ask("GET /rpc/one_project?id=1&select=name,clients(name)")
                .answers("{\"name\":\"Windows 7\",\"clients\":{\"name\": \"Microsoft\"}}");
        ask("GET /rpc/pairs?n=gt.1&select=s").answers("[{\"s\":\"two\"}]");
        ask("GET /rpc/pairs?nope=gt.1").fails(400, "42703");
    }

    @Test
    void rowsAreCounted() {
        ask("GET /rpc/all_projects?limit=2&select=id")
                .prefer("count=exact")
                .status(206)
                .has("Content-Range", "0-1/4")
                .has("Preference-Applied", "count=exact")
                .answers("[{\"id\":1},{\"id\":2}]");
        ask("HEAD /rpc/all_projects").prefer("count=exact").status(200).has("Content-Range", "0-3/4");
        ask("GET /rpc/all_projects?offset=9").prefer("count=exact").fails(416, "PGRST103");
        ask("GET /rpc/three?offset=1").status(200).has("Content-Range", "1-2/*").answers("[2, 3]");
    }

    @Test
    void oneRowIsAnObject() {
        ask("POST /rpc/all_projects?id=eq.3&select=id")
                .header("Accept", "application/vnd.pgrst.object+json")
                .body("{}")
                .status(200)
                .has("Content-Type", "application/vnd.pgrst.object+json; charset=utf-8")
                .answers("{\"id\":3}");
        ask("POST /rpc/write_many")
                .header("Accept", "application/vnd.pgrst.object+json")
                .body("{\"n\":2}")
                .fails(406, "PGRST116");
        assertThat(fixture.stored("count(*) FROM $written WHERE n = 2")).isEqualTo("0");
    }

    @Test
    void moreRowsThanAllowedUndoTheCall() {
        ask("POST /rpc/write_many")
                .prefer("handling=strict, max-affected=2")
                .body("{\"n\":3}")
                .fails(400, "PGRST124");
        assertThat(fixture.stored("count(*) FROM $written WHERE n = 3")).isEqualTo("0");
        ask("POST /rpc/write_it")
                .prefer("handling=strict, max-affected=2")
                .body("{\"n\":4}")
                .fails(400, "PGRST128");
    }

    @Test
    void whatReadsChangesNothing() {
        ask("GET /rpc/write_it?n=77").fails(405, "25006");
        ask("POST /rpc/pretends").body("{}").fails(405, "25006");
        assertThat(fixture.stored("count(*) FROM $written WHERE n IN (77, 9)")).isEqualTo("0");
    }

    @Test
    void aFunctionsTimeoutIsTheTransactions() {
        ask("POST /rpc/slow").body("{}").answers("\"3s\"");
    }
}
