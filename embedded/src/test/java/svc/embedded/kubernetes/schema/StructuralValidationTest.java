package svc.embedded.kubernetes.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.schema.WidgetDefinition.widget;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StructuralValidationTest {

    private final CustomResourceSchema schema = WidgetDefinition.schema();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{size: 1}",
                "{size: 3.0}",
                "{size: 1, ratio: 0.5, serial: a1, colour: green, label: abcd, note: null, enabled: true}",
                "{size: 1, made: '2026-01-02T03:04:05Z', port: 80}",
                "{size: 1, port: http, tags: [a, b], parts: [{name: x}, {name: y}], limits: {cpu: 1}}",
                "{size: 1, label: '\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00', free: {any: [thing]}}",
                "{size: 1, choice: {a: x}}"
            })
    void acceptsWhatTheSchemaAllows(String spec) {
        assertThat(schema.validate(widget(spec), Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | spec.size: Required value",
                "{size: 0} | spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
                "{size: 11} | spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10",
                "{size: '1'} | spec.size: Invalid value: \"string\": spec.size in body must be of type integer: \"string\"",
                "{size: 1.5} | spec.size: Invalid value: \"number\": spec.size in body must be of type integer: \"number\"",
                "{size: null} | spec.size: Invalid value: \"null\": spec.size in body must be of type integer: \"null\"",
                "{size: 1, ratio: 0} | spec.ratio: Invalid value: 0: spec.ratio in body should be greater than 0",
                "{size: 1, serial: X} | spec.serial: Invalid value: \"X\": spec.serial in body should match '^[a-z][0-9]+$'",
                "{size: 1, colour: blue} | spec.colour: Unsupported value: \"blue\": supported values: \"red\", \"green\"",
                "{size: 1, label: abcde} | spec.label: Too long: may not be more than 4 bytes",
                "{size: 1, label: a} | spec.label: Invalid value: \"a\": spec.label in body should be at least 2 chars long",
                "{size: 1, made: today} | spec.made: Invalid value: \"today\": spec.made in body must be of type date-time: \"today\"",
                "{size: 1, tags: [a, b, c, d]} | spec.tags: Too many: 4: must have at most 3 items",
                "{size: 1, tags: []} | spec.tags: Invalid value: []: spec.tags in body should have at least 1 items",
                "{size: 1, tags: [a, a]} | spec.tags[1]: Duplicate value: \"a\"",
                "{size: 1, parts: [{name: x}, {name: x}]} | spec.parts[1]: Duplicate value: {\"name\":\"x\"}",
                "{size: 1, parts: [{maker: x}]} | spec.parts[0].name: Required value",
                "{size: 1, limits: {a: x}} | spec.limits[a]: Invalid value: \"string\": spec.limits[a] in body must be of type integer: \"string\"",
                "{size: 1, limits: {a: 1, b: 2, c: 3}} | spec.limits: Too many: 3: must have at most 2 items",
                "{size: 1, choice: {a: x, b: y}} | <nil>: Invalid value: \"\": \"spec.choice\" must validate one and only one schema (oneOf). Found 2 valid alternatives",
            })
    void refusesInTheWordsOfAnApiServer(String spec, String expected) {
        assertThat(schema.validate(widget(spec), Optional.empty())).first().hasToString(expected);
    }

    @Test
    void refusesAnObjectWithoutSpec() {
        var bare = widget("{size: 1}");
        bare.remove("spec");

        assertThat(schema.validate(bare, Optional.empty()))
                .extracting(Violation::path, Violation::reason)
                .contains(org.assertj.core.groups.Tuple.tuple("spec", Violation.REQUIRED));
    }

    @Test
    void doesNotJudgeUnchangedPartsAgain() {
        var stored = widget("{size: 99, label: a}");
        var changed = widget("{size: 99, label: b}");

        assertThat(schema.validate(changed, Optional.of(stored)))
                .extracting(Violation::path)
                .containsExactly("spec.label");
    }
}
