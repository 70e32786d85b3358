package svc.embedded.kubernetes.contract;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import svc.embedded.kubernetes.HttpApi;

/**
 * One part of the contract: what svc needs of a Kubernetes API. Runs on every {@link ContractApi}; each test has a namespace
 * of its own. An assertion that differs between the APIs names its {@link KnownDifference}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("svc.embedded.kubernetes.contract.ContractApi#all")
abstract class ContractTest {
    private static final String GROUP = "/apis/test.svc.platform/v1";

    @Parameter
    protected ContractApi api;

    protected HttpApi http;
    protected String namespace;

    /** The collection of Gadgets in the test's namespace. */
    protected String gadgets;

    /** The Gadget of that name in the test's namespace. */
    protected String one;

    @BeforeEach
    void createNamespace() throws Exception {
        http = new HttpApi(api.config());
        namespace = "t-" + UUID.randomUUID().toString().substring(0, 8);
        gadgets = inNamespace(GROUP, "gadgets");
        one = gadgets + "/one";
        try (var client = api.client(namespace)) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    @AfterEach
    void closeClient() {
        http.close();
    }

    /** The path of a collection, such as {@code inNamespace("/api/v1", "pods")}. */
    protected String inNamespace(String groupVersion, String plural) {
        return groupVersion + "/namespaces/" + namespace + "/" + plural;
    }

    protected String configMaps() {
        return inNamespace("/api/v1", "configmaps");
    }

    /** The status code of a GET, for conditions that are polled. */
    protected int code(String path) {
        try {
            return http.get(path).code();
        } catch (Exception e) {
            throw new IllegalStateException("while reading " + path, e);
        }
    }
}
