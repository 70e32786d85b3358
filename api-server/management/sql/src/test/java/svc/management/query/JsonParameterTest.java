package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.management.json.StrictJson;

/** The text that PostgreSQL receives for a JSON value, by the inferred parameter type. */
class JsonParameterTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "NULL",
            value = {
                "null|integer|NULL",
                "true|boolean|true",
                "12345678901234567890.1230|numeric|12345678901234567890.1230",
                "1e400|numeric|1e400",
                "\"a\"|text|a",
                "\"a\"|jsonb|\"a\"",
                "\"a\\n\\\"\"|json|\"a\\n\\\"\"",
                "7|jsonb|7",
                "{\"n\": 1.10, \"a\": [null, {}]}|jsonb|{\"n\":1.10,\"a\":[null,{}]}",
                "[1, 2]|jsonb|[1,2]",
                "[1, 2]|vector|[1,2]",
                "[1, 2]|text|[1,2]",
                "[]|integer[]|{}",
                "[1, null, 3]|integer[]|{\"1\",NULL,\"3\"}",
                "[[1], [2]]|integer[]|{{\"1\"},{\"2\"}}",
                "[\"a\\\"b\\\\c\", \"NULL\", \"{}\"]|text[]|{\"a\\\"b\\\\c\",\"NULL\",\"{}\"}",
                "[true, false]|boolean[]|{\"true\",\"false\"}",
                "[{\"a\": 1}, [1], \"x\", null]|jsonb[]|{\"{\\\"a\\\":1}\",\"[1]\",\"\\\"x\\\"\",NULL}"
            })
    void isWrittenInTheServersForm(String json, String type, String text) throws JsonProcessingException {
        QueryBody body = StrictJson.get().readValue("{\"query\":\"\",\"parameters\":[" + json + "]}", QueryBody.class);
        assertThat(body.parameters().getFirst().text(type).orElse(null)).isEqualTo(text);
    }
}
