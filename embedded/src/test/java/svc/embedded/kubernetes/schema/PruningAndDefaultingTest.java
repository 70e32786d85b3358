package svc.embedded.kubernetes.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.embedded.kubernetes.schema.WidgetDefinition.widget;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class PruningAndDefaultingTest {

    private final CustomResourceSchema schema = WidgetDefinition.schema();

    @Test
    void removesUnknownFieldsAndNamesThem() {
        ObjectNode given = widget("{size: 1, sise: 2, free: {x: 1}, parts: [{name: a, nmae: b}], limits: {x: 1}}");
        given.put("extra", true);

        ObjectNode pruned = (ObjectNode) schema.prune(given);

        assertThat(pruned).isEqualTo(widget("{size: 1, free: {x: 1}, parts: [{name: a}], limits: {x: 1}}"));
        assertThat(schema.unknownFields(given)).containsExactly("spec.sise", "spec.parts[0].nmae", "extra");
    }

    @Test
    void leavesTheGivenObjectAlone() {
        ObjectNode given = widget("{sise: 2}");
        ObjectNode before = given.deepCopy();

        schema.prune(given);
        schema.applyDefaults(given);

        assertThat(given).isEqualTo(before);
    }

    @Test
    void writesDefaultsWhereTheParentExists() {
        assertThat(schema.applyDefaults(widget("{size: 1}")).get("spec"))
                .isEqualTo(widget("{size: 1, colour: red}").get("spec"));
        assertThat(schema.applyDefaults(widget("{size: 1, soft: {}}"))
                        .at("/spec/soft/depth")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void aNullIsAbsentUnlessItIsAllowed() {
        var completed = schema.applyDefaults(widget("{size: 1, colour: null, label: null, note: null}"));

        assertThat(completed.at("/spec/colour").asText()).isEqualTo("red");
        assertThat(completed.at("/spec").has("label")).isFalse();
        assertThat(completed.at("/spec/note").isNull()).isTrue();
    }

    @Test
    void anUnknownVersionIsAFaultOfTheCaller() {
        assertThatThrownBy(() -> CustomResourceSchema.of(WidgetDefinition.json(), "v2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Widget has no version v2");
    }
}
