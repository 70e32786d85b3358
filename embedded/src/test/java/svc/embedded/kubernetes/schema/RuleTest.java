package svc.embedded.kubernetes.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.embedded.kubernetes.schema.WidgetDefinition.widget;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTest {

    private final CustomResourceSchema schema = WidgetDefinition.schema();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{size: 1, soft: {}, hard: {}} | spec: Invalid value: \"object\": set soft or hard, not both",
                "{size: 1, limits: {a: 13}} | spec.limits[a]: Invalid value: \"integer\": unlucky: 13",
                "{size: 1, mode: {level: 99}} | spec.mode: Invalid value: \"object\": failed rule: has(self.level) ? self.level != 99 : true",
            })
    void refusesOnCreation(String spec, String expected) {
        assertThat(schema.validate(widget(spec), Optional.empty()))
                .singleElement()
                .hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{size: 1, serial: a1} | {size: 1, serial: a2} | spec.serial: Invalid value: \"string\": serial is immutable",
                "{size: 1, serial: a1} | {size: 1} | spec.serial: Forbidden: serial cannot be added or removed later",
                "{size: 1} | {size: 1, serial: a1} | spec.serial: Forbidden: serial cannot be added or removed later",
                "{size: 1, mode: {level: 4}} | {size: 1, mode: {level: 3}} | spec.mode.level: Invalid value: \"integer\": level never falls",
                "{size: 1, parts: [{name: a, maker: x}]} | {size: 1, parts: [{name: b}, {name: a, maker: y}]} | spec.parts[1].maker: Invalid value: \"string\": the maker of a part stays",
            })
    void refusesAMove(String from, String to, String expected) {
        assertThat(schema.validate(widget(to), Optional.of(widget(from))))
                .singleElement()
                .hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{size: 2, serial: a1, mode: {level: 5}}", "{size: 1, serial: a1, mode: {level: 4}}"})
    void allowsOtherMoves(String to) {
        assertThat(schema.validate(widget(to), Optional.of(widget("{size: 1, serial: a1, mode: {level: 4}}"))))
                .isEmpty();
    }

    @Test
    void aRuleOfTheRootSeesTheName() {
        ObjectNode widget = widget("{size: 1}");
        widget.withObjectProperty("metadata").put("name", "a-name-that-is-far-too-long");

        assertThat(schema.validate(widget, Optional.empty()))
                .extracting(Violation::message)
                .containsExactly("Invalid value: \"object\": the name of a Widget may have 20 characters at most");
    }

    @Test
    void saysThatRulesWereNotRunOnAnObjectOfTheWrongShape() {
        assertThat(schema.validate(widget("{size: x, soft: {}, hard: {}}"), Optional.empty()))
                .extracting(Violation::path)
                .containsExactly("spec.size", "<nil>");
    }

    @Test
    void anUnchangedPartIsNotJudgedByItsRulesAgain() {
        var stored = widget("{size: 1, mode: {level: 99}}");

        assertThat(schema.validate(widget("{size: 2, mode: {level: 99}}"), Optional.of(stored)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"self.nosuchfield == 1", "self.namespace == 'x'", "size(self)", "self.size =="})
    void refusesADefinitionWhoseRuleDoesNotCompile(String rule) {
        assertThatThrownBy(() -> CustomResourceSchema.of(definitionWith(rule), "v1"))
                .isInstanceOf(InvalidSchemaException.class)
                .hasMessageContaining(rule);
    }

    @Test
    void aFieldNamedLikeAKeywordIsSpelledWithUnderscores() {
        CustomResourceSchema strict = CustomResourceSchema.of(
                definitionWith("!has(self.__namespace__) || self.__namespace__ == 'mine'"), "v1");

        assertThat(strict.validate(widget("{size: 1, namespace: mine}"), Optional.empty()))
                .isEmpty();
        assertThat(strict.validate(widget("{size: 1, namespace: yours}"), Optional.empty()))
                .hasSize(1);
    }

    @Test
    void aMessageMayBeAnExpressionOfTheValue() {
        JsonNode definition = WidgetDefinition.json();
        ((ObjectNode)
                        definition.at(
                                "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/limits/additionalProperties/x-kubernetes-validations/0"))
                .put("messageExpression", "'unlucky: ' + string(self)");

        assertThat(CustomResourceSchema.of(definition, "v1")
                        .validate(widget("{size: 1, limits: {a: 13}}"), Optional.empty()))
                .extracting(Violation::message)
                .containsExactly("Invalid value: \"integer\": unlucky: 13");
    }

    private static JsonNode definitionWith(String rule) {
        JsonNode definition = WidgetDefinition.json();
        ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec"))
                .withArrayProperty("x-kubernetes-validations")
                .addObject()
                .put("rule", rule);
        return definition;
    }
}
