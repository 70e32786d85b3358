package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Discovery, authentication and access reviews: what a client asks before its first object. */
class DiscoveryTest extends ContractTest {
    @Test
    void listsGroupsAndResources() throws Exception {
        assertThat(http.get("/api").body().at("/versions/0").asText()).isEqualTo("v1");
        assertThat(http.get("/apis").body().path("groups").findValuesAsText("name"))
                .contains("apps", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "test.svc.platform");
        JsonNode resources = http.get("/apis/test.svc.platform/v1").body().path("resources");
        assertThat(resources.findValuesAsText("name")).containsExactlyInAnyOrder("gadgets", "gadgets/status");
        assertThat(resources.findValuesAsText("singularName")).contains("gadget");
        assertThat(http.get("/apis/none/v1").code()).isEqualTo(404);
    }

    /** svc's own kinds and those that the operator writes; what kube-apiserver serves besides is never asked for. */
    @Test
    void servesEveryKindThatSvcUses() throws Exception {
        for (String path : new String[] {
            inNamespace("/api/v1", "secrets"),
            inNamespace("/api/v1", "services"),
            inNamespace("/api/v1", "pods"),
            inNamespace("/apis/apps/v1", "deployments"),
            inNamespace("/apis/networking.k8s.io/v1", "networkpolicies"),
            inNamespace("/apis/policy/v1", "poddisruptionbudgets"),
            inNamespace("/apis/discovery.k8s.io/v1", "endpointslices"),
            inNamespace("/apis/coordination.k8s.io/v1", "leases"),
            inNamespace("/apis/events.k8s.io/v1", "events"),
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        }) {
            assertThat(http.get(path).code()).as(path).isEqualTo(200);
        }
    }

    @Test
    void refusesAWrongToken() throws Exception {
        Reply refused = http.send(http.anonymous(gadgets).header("Authorization", "Bearer wrong"));
        assertThat(refused.code()).isEqualTo(401);
        assertThat(refused.reason()).isEqualTo("Unauthorized");
        for (String path : new String[] {"/version", "/healthz", "/livez", "/readyz"}) {
            assertThat(http.send(http.anonymous(path)).code()).as(path).isEqualTo(200);
        }
        assertThat(http.send(http.anonymous(gadgets)).code())
                .isEqualTo(api.has(KnownDifference.ANONYMOUS_IS_UNAUTHENTICATED) ? 401 : 403);
    }

    @Test
    void issuesTokensOfServiceAccounts() throws Exception {
        String accounts = inNamespace("/api/v1", "serviceaccounts");
        http.post(accounts, "{metadata: {name: one}}");
        Reply token = http.post(
                accounts + "/one/token", "{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: {}}");
        assertThat(token.code()).isEqualTo(api.has(KnownDifference.ONE_USER) ? 404 : 201);
    }

    @Test
    void allowsTheAdministratorEverything() throws Exception {
        Reply access = http.post(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview,"
                        + " spec: {resourceAttributes: {verb: delete, resource: pods}}}");
        assertThat(access.code()).isEqualTo(201);
        assertThat(access.body().at("/status/allowed").asBoolean()).isTrue();
    }
}
