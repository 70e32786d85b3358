package svc.management.query.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A script can make its server send malformed values: the response is valid JSON nevertheless. */
class BrokenTextTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> PARTS =
            List.of("{", "}", "(", ")", "[", "]", "\"", "\\", ",", "=>", "=", ":", "NULL", "a", "1", " ", "ä");

    private static final List<Shape> SHAPES = List.of(
            new Shape.Array(Shape.TEXT, ','),
            new Shape.Composite(List.of(
                    new Shape.Field("a", Shape.TEXT),
                    new Shape.Field("b", new Shape.Array(new Shape.Scalar(ValueKind.JSON), ',')))),
            new Shape.Hstore(),
            new Shape.Vector(ValueKind.NUMBER),
            new Shape.Scalar(ValueKind.JSON),
            new Shape.Scalar(ValueKind.NUMBER),
            new Shape.Scalar(ValueKind.TIMESTAMP_WITH_ZONE));

    private static String written(Shape shape, String text) throws IOException {
        var answer = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(answer)) {
            json.writeStartArray();
            ValueAsJson.write(json, shape, text);
            json.writeEndArray();
        }
        return answer.toString();
    }

    @Test
    void whateverTheTextTheAnswerIsJson() {
        var random = new Random(4711);
        for (int round = 0; round < 50_000; round++) {
            var text = new StringBuilder();
            for (int parts = random.nextInt(12); parts > 0; parts--) {
                text.append(PARTS.get(random.nextInt(PARTS.size())));
            }
            Shape shape = SHAPES.get(round % SHAPES.size());
            assertThatCode(() -> JSON.readTree(written(shape, text.toString())))
                    .as(shape + " " + text)
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":", "\"x\\\"", "", " ", "1 2", "nul", "[1,]", "{'a':1}", "\u0000", "01"})
    void whatIsNotJsonIsAString(String text) throws IOException {
        assertThat(JSON.readTree(written(new Shape.Scalar(ValueKind.JSON), text))
                        .get(0)
                        .textValue())
                .isEqualTo(text);
    }

    @Test
    void bracesWithoutEndTakeNoStack() throws IOException {
        String braces = "{".repeat(1_000_000);
        assertThat(JSON.readTree(written(SHAPES.getFirst(), braces)).get(0).textValue())
                .isEqualTo(braces);
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertThat(written(new Shape.Scalar(ValueKind.JSON), deep)).isEqualTo("[" + deep + "]");
    }
}
