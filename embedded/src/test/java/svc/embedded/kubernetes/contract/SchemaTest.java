package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;

import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Definitions: validation, defaults, pruning, and refused schemas. */
class SchemaTest extends ContractTest {

    @Test
    void refusesWithTheFieldAndTheReason() throws Exception {
        Reply refused = http.post(gadgets, gadget("one", "ref: ABC"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.body().at("/details/causes/0/field").asText()).isEqualTo("spec.ref");
        assertThat(refused.message()).startsWith("Gadget.test.svc.platform \"one\" is invalid: spec.ref:");
        assertThat(http.apply(one, "a", gadget("one", "size: 1")).code()).isEqualTo(422);
    }

    @Test
    void runsTransitionRulesOnEveryKindOfWrite() throws Exception {
        http.post(gadgets, gadget("one", "ref: abc"));
        assertThat(http.patch(one, MERGE, "{spec: {ref: other}}").message()).contains("ref cannot be changed");
        Reply applied = http.patch(
                one + "?fieldManager=a&force=true", "application/apply-patch+yaml", gadget("one", "ref: other"));
        assertThat(applied.code()).isEqualTo(422);
    }

    @Test
    void prunesWarnsOrRefusesUnknownFieldsAsAsked() throws Exception {
        Reply warned = http.post(gadgets, gadget("one", "ref: abc, size: 2, nmae: x"));
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.body().at("/spec").has("nmae")).isFalse();
        assertThat(warned.response().headers().firstValue("Warning").orElse(""))
                .isEqualTo("299 - \"unknown field \\\"spec.nmae\\\"\"");
        Reply strict = http.post(gadgets + "?fieldValidation=Strict", gadget("two", "ref: abc, nmae: x"));
        assertThat(strict.code()).isEqualTo(400);
        assertThat(strict.message())
                .isEqualTo(
                        "Gadget in version \"v1\" cannot be handled as a Gadget: strict decoding error: unknown field"
                                + " \"spec.nmae\"");
        assertThat(http.post(gadgets, gadget("three", "ref: abc"))
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

    @Test
    void refusesRulesOverTheCostBudget() throws Exception {
        Reply reply = define("{type: object, properties: {spec: {type: object, properties: {parts: {type: array,"
                + " items: {type: string, x-kubernetes-validations: [{rule: 'self.contains(self)'}]}}}}}}");
        assertThat(reply.code()).isEqualTo(api.has(KnownDifference.RULE_COSTS_ARE_NOT_ESTIMATED) ? 201 : 422);
    }

    private Reply define(String schema) throws Exception {
        var definition = new TestDefinition(http);
        Reply reply = definition.create(schema);
        definition.delete();
        return reply;
    }
}
