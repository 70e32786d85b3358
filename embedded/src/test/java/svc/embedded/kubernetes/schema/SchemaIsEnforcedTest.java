package svc.embedded.kubernetes.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.GADGETS;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;

import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.ApiTest;
import svc.embedded.kubernetes.HttpApi.Reply;

/** The API refuses what a definition forbids, and completes what it leaves open. */
class SchemaIsEnforcedTest extends ApiTest {
    private static final String ONE = GADGETS + "/one";

    @Test
    void refusesWithTheFieldAndTheReason() throws Exception {
        Reply refused = http.post(GADGETS, gadget("one", "ref: ABC"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.body().at("/details/causes/0/field").asText()).isEqualTo("spec.ref");
        assertThat(refused.message()).startsWith("Gadget.test.svc.platform \"one\" is invalid: spec.ref:");
        assertThat(http.apply(ONE, "a", gadget("one", "size: 1")).code()).isEqualTo(422);
    }

    @Test
    void runsTransitionRulesOnEveryKindOfWrite() throws Exception {
        http.post(GADGETS, gadget("one", "ref: abc"));
        assertThat(http.patch(ONE, MERGE, "{spec: {ref: other}}").message()).contains("ref cannot be changed");
        Reply applied = http.patch(
                ONE + "?fieldManager=a&force=true", "application/apply-patch+yaml", gadget("one", "ref: other"));
        assertThat(applied.code()).isEqualTo(422);
    }

    @Test
    void prunesWarnsOrRefusesUnknownFieldsAsAsked() throws Exception {
        Reply warned = http.post(GADGETS, gadget("one", "ref: abc, size: 2, nmae: x"));
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.body().at("/spec").has("nmae")).isFalse();
        assertThat(warned.response().headers().firstValue("Warning").orElse(""))
                .isEqualTo("299 - \"unknown field \\\"spec.nmae\\\"\"");
        Reply strict = http.post(GADGETS + "?fieldValidation=Strict", gadget("two", "ref: abc, nmae: x"));
        assertThat(strict.code()).isEqualTo(400);
        assertThat(strict.message()).isEqualTo("strict decoding error: unknown field \"spec.nmae\"");
        assertThat(http.post(GADGETS, gadget("three", "ref: abc"))
                        .body()
                        .at("/spec/size")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void refusesADefinitionItCouldNotServe() throws Exception {
        Reply refused = define("{type: object, x-kubernetes-validations: [{rule: 'self.nope ==='}]}");
        assertThat(refused.code()).isEqualTo(422);
    }

    @Test
    void refusesADefaultThatARuleOfItsOwnForbids() throws Exception {
        String level = "{type: object, default: %s, properties: {level: {type: integer, default: 1}},"
                + " x-kubernetes-validations: [{rule: 'self.level >= oldSelf.level'}]}";
        String spec = "{type: object, properties: {spec: {type: object, properties: {mode: " + level + "}}}}";

        Reply refused = define(spec.formatted("{}"));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().at("/details/causes/0/field").asText())
                .isEqualTo("spec.validation.openAPIV3Schema.properties[spec].properties[mode].default");
        assertThat(define(spec.formatted("{level: 1}")).code()).isEqualTo(201);
    }

    @Test
    void refusesAListKeyedByWhatItsItemsMayLack() throws Exception {
        String list = "{type: object, properties: {spec: {type: object, properties: {parts: {type: array,"
                + " x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, %s"
                + " properties: {name: {type: string}}}}}}}}";

        Reply refused = define(list.formatted(""));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("x-kubernetes-list-map-keys");
        assertThat(define(list.formatted("required: [name],")).code()).isEqualTo(201);
    }

    private Reply define(String schema) throws Exception {
        return http.post(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ws.x.y},"
                        + " spec: {group: x.y, scope: Namespaced, names: {plural: ws, kind: W}, versions: [{name: v1,"
                        + " served: true, storage: true, schema: {openAPIV3Schema: " + schema + "}}]}}");
    }
}
