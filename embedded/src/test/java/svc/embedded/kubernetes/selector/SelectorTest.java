package svc.embedded.kubernetes.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;

/** Selectors select what they say, and nothing more. */
class SelectorTest {
    private static final JsonNode OBJECT = Json.parseOwn(
            "{\"metadata\":{\"name\":\"one\",\"labels\":{\"app\":\"a\",\"svc.platform/ref\":\"x1\",\"empty\":\"\"}},"
                    + "\"spec\":{\"text\":\"a,b\"}}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app=a | true",
                "app==a | true",
                "app=b | false",
                "app!=b | true",
                "none!=b | true",
                "app | true",
                "none | false",
                "!none | true",
                "!app | false",
                "app in (a,b) | true",
                "app in (b) | false",
                "app notin (b) | true",
                "none notin (b) | true",
                "app notin (a, b) | false",
                "empty= | true",
                "svc.platform/ref=x1,app in (a),!none | true",
                "svc.platform/ref=x1,app=b | false"
            })
    void labels(String selector, boolean selected) {
        assertThat(LabelSelector.parse(selector).test(OBJECT)).isEqualTo(selected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name=one | true",
                "metadata.name!=one | false",
                "metadata.name=one,spec.none= | true",
                "metadata.name=two | false",
                "spec.text=a\\,b | true"
            })
    void fields(String selector, boolean selected) {
        assertThat(FieldSelector.parse(selector).test(OBJECT)).isEqualTo(selected);
    }

    @Test
    void refusesWhatItDoesNotUnderstand() {
        assertThatThrownBy(() -> LabelSelector.parse("app in a")).isInstanceOf(ApiFailure.class);
        assertThatThrownBy(() -> LabelSelector.parse("a=b c=d")).isInstanceOf(ApiFailure.class);
        assertThatThrownBy(() -> FieldSelector.parse("metadata.name")).isInstanceOf(ApiFailure.class);
    }
}
