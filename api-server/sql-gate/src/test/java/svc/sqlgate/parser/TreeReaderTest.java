package svc.sqlgate.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.memory.ByteBudget;

/** The lean tree is the tree, and its memory is taken before it is made. */
class TreeReaderTest {
    private static JsonNode read(String json, ByteBudget budget) throws IOException {
        try (var memory = new ReadingMemory(budget.account("a"), Duration.ZERO)) {
            return TreeReader.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), memory);
        }
    }

    private static JsonNode read(String json) throws IOException {
        return read(json, new ByteBudget(1L << 30));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "[{\"result\":{\"version\":180004,\"stmts\":[]}},{\"fault\":{\"message\":\"ä€😀\",\"position\":3}}]",
                "[{\"a\":{\"b\":1}},{\"a\":{\"b\":1}},{\"a\":{\"b\":2}},{\"a\":{}},{\"a\":{}},{\"a\":[]},{\"a\":[1]}]",
                "{\"a\":1,\"b\":\"1\",\"c\":true,\"d\":false,\"e\":null,\"f\":-2147483648,\"g\":9223372036854775807}",
                "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":\"x\"}}}},\"f\":{\"b\":{\"c\":{\"d\":{\"e\":\"x\"}}}}}"
            })
    void readsWhatJacksonReads(String json) throws IOException {
        JsonNode tree = read(json);
        assertThat(tree).isEqualTo(new ObjectMapper().readTree(json));
        assertThat(tree.toString()).isEqualTo(json);
    }

    @Test
    void keepsTheOrderOfManyFieldsAndFindsEach() throws IOException {
        var json = new StringBuilder("{");
        for (int i = 0; i < 40; i++) {
            json.append(i == 0 ? "" : ",").append("\"f").append(i).append("\":").append(i);
        }
        JsonNode tree = read(json.append('}').toString());
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            names.add(field.getKey());
            assertThat(tree.path(field.getKey()).asInt())
                    .isEqualTo(field.getValue().asInt());
        }
        assertThat(names).hasSize(40).startsWith("f0", "f1").endsWith("f39");
        assertThat(tree.has("f40")).isFalse();
        assertThat(tree.size()).isEqualTo(40);
    }

    @Test
    void equalNamesAreOneNode() throws IOException {
        JsonNode tree = read("[{\"String\":{\"sval\":\"a\"}},{\"String\":{\"sval\":\"a\"}}]");
        assertThat(tree.get(0)).isSameAs(tree.get(1));
    }

    @Test
    void aTreeBeyondTheBudgetIsRefusedBeforeItIsMade() throws IOException {
        String json = "[" + "{\"a\":1,\"b\":2},".repeat(50_000) + "0]";
        var budget = new ByteBudget(4L << 20);
        assertThatThrownBy(() -> read(json, budget))
                .isInstanceOfSatisfying(
                        MemoryRefusedException.class,
                        e -> assertThat(e.reason()).isEqualTo(RefusedReason.TREE_TOO_LARGE));
        assertThat(budget.held()).isZero();
        try (ByteBudget.Permit other = budget.account("a").open()) {
            assertThat(other.grow(budget.largest())).isEqualTo(ByteBudget.Verdict.GRANTED);
            assertThatThrownBy(() -> read("[" + "{\"a\":1,\"b\":2},".repeat(5_000) + "0]", budget))
                    .isInstanceOfSatisfying(
                            MemoryRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(RefusedReason.NO_MEMORY));
        }
        assertThat(read("[" + "{\"a\":1,\"b\":2},".repeat(5_000) + "0]", budget))
                .hasSize(5_001);
    }

    @Test
    void whatIsNoWholeAnswerIsRefused() {
        assertThatThrownBy(() -> read("[{\"a\":1}")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read("")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read("{\"a\":".repeat(40_000))).isInstanceOf(IOException.class);
    }
}
