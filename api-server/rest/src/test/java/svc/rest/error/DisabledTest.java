package svc.rest.error;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.Tenant;
import svc.rest.ReadFixture;

/** A project that has switched its REST API off serves nothing there, and says how to switch it on. */
class DisabledTest {
    private static ReadFixture fixture;
    private static Tenant off;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.serve();
        off = fixture.plane()
                .serve(fixture.tenant(), "offoffoff1", fixture.tenant().rest().disabled());
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /", "GET /nothing", "POST /rpc/nothing", "OPTIONS /nothing"})
    void nothingAnswers(String request) {
        fixture.ask(off, request)
                .fails(404, "PGRST125")
                .contains("switched off")
                .contains("enabled");
    }
}
