package svc.rest.aggregate;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.rest.ReadFixture;

/** Without the setting {@code aggregates} every aggregate of a request is refused. */
class AggregateSettingTest {
    private static ReadFixture fixture;
    private static Tenant without;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.shared();
        without = fixture.serve(RestSettings.defaults());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "projects?select=count()",
                "projects?select=budget.sum()",
                "projects?select=s:budget::int.max()::text",
                "clients?select=name,projects(count())",
                "projects?select=id,...clients(name.count())",
                "clients?select=projects(tasks(id.max()))",
            })
    void noneIsComputed(String request) {
        fixture.ask(without, "GET /" + request)
                .fails(400, "PGRST123")
                .contains("\"message\":\"Use of aggregate functions is not allowed\"");
    }
}
