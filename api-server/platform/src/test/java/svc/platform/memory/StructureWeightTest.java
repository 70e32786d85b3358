package svc.platform.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StructureWeightTest {
    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    private static long weight(String text) {
        return new StructureWeight().of(bytes(text));
    }

    @Test
    void textInQuotesWeighsItsBytes() {
        assertThat(weight("\"" + "[{,:".repeat(1_000) + "\"")).isEqualTo(StructureWeight.ofBytes(4_002));
        assertThat(weight("\"a\\\"[[[[\"")).isEqualTo(StructureWeight.ofBytes(9));
        assertThat(weight("\"a\\\\\"[")).isGreaterThan(StructureWeight.ofBytes(6));
    }

    @Test
    void valuesKeysAndContainersWeighMore() {
        assertThat(weight("[" + "1,".repeat(1_000) + "1]")).isGreaterThan(40_000);
        assertThat(weight("[".repeat(1_000))).isGreaterThan(100_000);
        assertThat(weight("{" + "\"k\":1,".repeat(1_000) + "}")).isGreaterThan(100_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64})
    void theSameInPieces(int length) {
        String text = "{\"a\\\"b\":[1,2,{\"c\":\"x,y\\\\\"}],\"d\":null}";
        StructureWeight pieces = new StructureWeight();
        long sum = 0;
        for (int at = 0; at < text.length(); at += length) {
            sum += pieces.of(bytes(text.substring(at, Math.min(text.length(), at + length))));
        }

        assertThat(sum).isEqualTo(weight(text));
    }

    /** What a tree really takes, as the sum of its nodes: the estimate is not below it. */
    @ParameterizedTest
    @ValueSource(strings = {"[%s1]", "[%s{\"k\":1}]"})
    void aTreeTakesNoMoreThanItsWeight(String form) throws Exception {
        String text = String.format(form, "123456,".repeat(200_000));
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();
        Object tree = new ObjectMapper().readTree(text);
        System.gc();
        long taken = runtime.totalMemory() - runtime.freeMemory() - before;

        assertThat(weight(text)).as(tree.getClass().getName()).isGreaterThan(taken);
    }
}
