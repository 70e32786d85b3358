package svc.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.rest.error.RestError;
import svc.rest.request.JsonBody.Keys;
import svc.rest.request.JsonBody.Shape;

/** What one pass over a JSON body says of it. */
class JsonBodyTest {
    @Test
    void objectsAreComparedByTheirKeys() {
        assertThat(JsonBody.of("[{\"a\":1,\"b\":{\"a\":2}},{\"b\":3,\"a\":[4]}]")
                        .keys())
                .isEqualTo(Keys.SAME);
        assertThat(JsonBody.of("[{\"a\":1,\"a\":2},{\"a\":3}]").keys()).isEqualTo(Keys.SAME);
        assertThat(JsonBody.of("[{\"a\":1},{\"a\":2,\"b\":3}]").keys()).isEqualTo(Keys.DIFFERENT);
        assertThat(JsonBody.of("[{\"a\":1,\"b\":3},{\"a\":2,\"a\":3}]").keys()).isEqualTo(Keys.DIFFERENT);
        assertThat(JsonBody.of("[{},{}]").keys()).isEqualTo(Keys.SAME);
    }

    @Test
    void theFirstObjectIsKeptAsItIsWritten() {
        JsonBody body = JsonBody.of(" [ {\"a\" : 1.50, \"\u00fc\":\"\\u0041\"} , {\"a\":2,\"\u00fc\":null} ] ");

        assertThat(body.shape()).isEqualTo(Shape.OBJECTS);
        assertThat(body.size()).isEqualTo(2);
        assertThat(body.first().json()).isEqualTo("{\"a\" : 1.50, \"\u00fc\":\"\\u0041\"}");
        assertThat(body.first().keys()).containsExactly("a", "\u00fc");
        assertThat(body.text()).startsWith("[").endsWith("]");
        assertThat(JsonBody.of("\uFEFF {\"a\":1} ").text()).isEqualTo("{\"a\":1}");
    }

    @Test
    void otherValuesHaveAShapeOnly() {
        assertThat(JsonBody.of("[]").shape()).isEqualTo(Shape.OBJECTS);
        assertThat(JsonBody.of("[{},1,[2]]").shape()).isEqualTo(Shape.LIST);
        assertThat(JsonBody.of("[[{}]]").shape()).isEqualTo(Shape.LIST);
        assertThat(JsonBody.of("1.5").shape()).isEqualTo(Shape.SCALAR);
        assertThat(JsonBody.of("null").shape()).isEqualTo(Shape.SCALAR);
        assertThat(JsonBody.of(" \"x\" ").text()).isEqualTo("\"x\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "[1", "[1,]", "{} {}", "[{},1", "[1}", "nul", "{\"a\"}", "[{}]]"})
    void whatIsNoJsonIsRefused(String text) {
        assertThatThrownBy(() -> JsonBody.of(text))
                .isInstanceOf(RestError.class)
                .hasMessage(Payload.INVALID);
    }

    @Test
    void rowsAreGroupedByTheKeysThatMatter() {
        String array = "[{\"a\":1},{\"b\":2,\"x\":0},{\"y\":[],\"a\":3}, {}]";

        assertThat(KeyGroups.of(array, Set.of("a", "b"), 3))
                .isEqualTo(List.of(
                        new Payload.KeyGroup(Set.of("a"), 2, "[{\"a\":1},{\"y\":[],\"a\":3}]"),
                        new Payload.KeyGroup(Set.of("b"), 1, "[{\"b\":2,\"x\":0}]"),
                        new Payload.KeyGroup(Set.of(), 1, "[{}]")));
        assertThatThrownBy(() -> KeyGroups.of(array, Set.of("a", "b"), 2)).isInstanceOf(RestError.class);
    }
}
