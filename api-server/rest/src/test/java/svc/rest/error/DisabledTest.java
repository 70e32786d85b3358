package svc.rest.error;

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
        fixture = ReadFixture.shared();
        off = fixture.serve(fixture.tenant().rest().disabled());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /", "GET /nothing", "POST /rpc/nothing", "OPTIONS /nothing"})
    void nothingAnswers(String request) {
        fixture.ask(off, request).fails(404, "PGRST125").contains("is disabled").contains("enabled");
    }
}
