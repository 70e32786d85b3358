package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: a line of the log names a request by its pattern and its project, and repeats nothing else of it. */
class RouteNameTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET | /rest/v1/salaries | GET /rest/v1/* of project abcd2345
        POST | /rest/v1/rpc/secret_name | POST /rest/v1/rpc/* of project abcd2345
        GET | /auth/v1/verify | GET /auth/v1/verify of project abcd2345
        PUT | /auth/v1/admin/users/7f | PUT /auth/v1/admin/users/* of project abcd2345
        GET | /storage/v1/object/sign/b/f/g/h/i/j | GET /storage/v1/object/sign/*/*/* of project abcd2345
        SVC_PAT | /svc_pat_abc | an unknown method of /* of project abcd2345
        """)
    void ofAProject(String method, String path, String name) {
        assertThat(new RouteName(HttpMethod.valueOf(method), new Destination.Data("abcd2345", path)).get())
                .isEqualTo(name);
    }

    @Test
    void ofTheControlPlane() {
        assertThat(new RouteName(HttpMethod.POST, new Destination.Control("/v1/projects/abcd2345/database/query"))
                        .get())
                .isEqualTo("POST /v1/projects/*/database/query of the control plane");
        assertThat(new RouteName(HttpMethod.GET, new Destination.Nowhere()).get())
                .isEqualTo("GET an unknown host");
    }
}
