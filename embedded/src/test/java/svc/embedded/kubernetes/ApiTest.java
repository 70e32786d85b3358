package svc.embedded.kubernetes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test with an API of its own that serves Gadgets. */
public abstract class ApiTest {
    protected EmbeddedKubernetes api;
    protected HttpApi http;

    @BeforeEach
    void startApi() throws Exception {
        api = TestApi.withGadgets();
        http = new HttpApi(api);
    }

    @AfterEach
    void stopApi() throws Exception {
        http.close();
        api.close();
    }
}
