package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Schemas and CEL rules ({@code x-kubernetes-validations}): accepted, refused, and with which words. */
class ValidationRulesTest extends ContractTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{size: 1, soft: {}, hard: {}} | spec | set soft or hard, not both",
                "{size: 1, limits: {a: 13}} | spec.limits[a] | unlucky: 13",
                "{size: 1, limits: {a: 12, b: 9}} | spec.limits | the limits exceed 20 together",
                "{size: 1, mode: {level: 99}} | spec.mode | failed rule: has(self.level) ? self.level != 99 : true",
                "{size: 0} | spec.size | should be greater than or equal to 1",
                "{size: 11} | spec.size | should be less than or equal to 10",
                "{size: x} | spec.size | must be of type integer: \"string\"",
                "{size: 1, serial: A1} | spec.serial | should match '^[a-z][0-9]+$'",
                "{size: 1, colour: blue} | spec.colour | supported values: \"red\", \"green\"",
                "{size: 1, label: abcde} | spec.label | may not be more than 4",
                "{size: 1, made: yesterday} | spec.made | must be of type date-time: \"yesterday\"",
                "{size: 1, tags: [a, a]} | spec.tags[1] | Duplicate value: \"a\"",
                "{size: 1, tags: [a, b, c, d]} | spec.tags | must have at most 3 items",
                "{size: 1, parts: [{name: a}, {name: a}]} | spec.parts[1] | Duplicate value: {\"name\":\"a\"}",
                "{size: 1, parts: [{maker: a}]} | spec.parts[0].name | Required value",
                "{size: 1, limits: {a: 1, b: 2, c: 3}} | spec.limits | must have at most 2",
                "{size: 1, choice: {a: x, b: y}} | <nil> | \"spec.choice\" must validate one and only one schema (oneOf)",
            })
    void refusesOnCreation(String spec, String field, String message) throws Exception {
        Reply refused = http.post(rules(), rule("one", spec));
        assertThat(refused.code()).as(refused.message()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.body().at("/details/causes").findValuesAsText("field"))
                .contains(field);
        assertThat(refused.message()).contains(field + ": ").contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{size: 1, serial: a1} | {size: 1, serial: a2} | spec.serial | serial is immutable",
                "{size: 1, serial: a1} | {size: 1} | spec.serial | Forbidden: serial cannot be added or removed later",
                "{size: 1} | {size: 1, serial: a1} | spec.serial | Forbidden: serial cannot be added or removed later",
                "{size: 1, mode: {level: 4}} | {size: 1, mode: {level: 3}} | spec.mode.level | level never falls",
                "{size: 1, parts: [{name: a, maker: x}]} | {size: 1, parts: [{name: b}, {name: a, maker: y}]} | spec.parts[1].maker | the maker of a part stays",
            })
    void refusesAChange(String from, String to, String field, String message) throws Exception {
        assertThat(http.post(rules(), rule("one", from)).code()).isEqualTo(201);
        var object = http.get(rules() + "/one").body();
        Reply refused = http.patch(
                rules() + "/one", "application/json-patch+json", "[{op: replace, path: /spec, value: " + to + "}]");
        assertThat(refused.code()).as(refused.message()).isEqualTo(422);
        assertThat(refused.message()).contains(field + ": ").contains(message);
        assertThat(http.get(rules() + "/one").body()).isEqualTo(object);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{size: 2, serial: a1, mode: {level: 5}}", "{size: 1, serial: a1, mode: {level: 4}}"})
    void allowsOtherChanges(String to) throws Exception {
        http.post(rules(), rule("one", "{size: 1, serial: a1, mode: {level: 4}}"));
        assertThat(http.patch(
                                rules() + "/one",
                                "application/json-patch+json",
                                "[{op: replace, path: /spec, value: " + to + "}]")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void aRuleOfTheRootSeesTheName() throws Exception {
        Reply refused = http.post(rules(), rule("a-name-that-is-far-too-long", "{size: 1}"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("the name of a Widget may have 20 characters at most");
    }

    @Test
    void defaultsArePrunedAndNullsDropped() throws Exception {
        var spec = http.post(rules(), rule("one", "{size: 1, colour: null, label: null, note: null, soft: {}, x: y}"))
                .body()
                .path("spec");
        assertThat(spec.path("colour").asText()).isEqualTo("red");
        assertThat(spec.at("/soft/depth").asInt()).isEqualTo(3);
        assertThat(spec.has("label")).isFalse();
        assertThat(spec.has("x")).isFalse();
        assertThat(spec.path("note").isNull()).isTrue();
    }

    private String rules() {
        return inNamespace("/apis/example.org/v1", "widgets");
    }

    private static String rule(String name, String spec) {
        return "{apiVersion: example.org/v1, kind: Widget, metadata: {name: %s}, spec: %s}".formatted(name, spec);
    }
}
