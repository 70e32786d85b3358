package svc.realtime.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What filters say, and that a stranger's text costs its length alone. */
class FilterParserTest {
    private static final int SHORT = 100;
    private static final int TIMES = 20;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=eq.x,%s",
                "a=eq.x,%s=",
                "%s=eq.x",
                "%s",
                "a=eq.x,b%sb",
                "a=in.(x%s",
                "a=eq.\"%s",
                "a=not.%s",
                "a=eq.x,,%s,"
            })
    void aTextCostsItsLength(String pattern) {
        for (String filling : List.of(" ", ",", "a ", " =", "\\\"", "1")) {
            long some = Long.MAX_VALUE;
            long all = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                some = Math.min(some, nanos(pattern.formatted(filling.repeat(SHORT)), TIMES));
                all = Math.min(all, nanos(pattern.formatted(filling.repeat(SHORT * TIMES)), 1));
            }
            assertThat(all)
                    .as("%s with %s, beside %s ns for as many bytes in short texts", pattern, filling, some)
                    .isLessThan(12 * Math.max(some, 50_000));
        }
    }

    private static long nanos(String filter, int times) {
        var threads = ManagementFactory.getThreadMXBean();
        long from = threads.getCurrentThreadCpuTime();
        for (int time = 0; time < times; time++) {
            FilterParser.parse(filter);
        }
        return threads.getCurrentThreadCpuTime() - from;
    }

    @Test
    void blanksAroundAColumnDoNotCount() {
        assertThat(FilterParser.parse(" a b \t=not.eq.x, c =in.( 1 ,\"2,\"),d=eq.u,v"))
                .contains(List.of(
                        new Condition("a b", true, FilterOperator.EQ, List.of("x")),
                        new Condition("c", false, FilterOperator.IN, List.of("1", "2,")),
                        new Condition("d", false, FilterOperator.EQ, List.of("u,v"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "=eq.1",
                " =eq.1",
                "a",
                "a=",
                "a=eq",
                "a=around.1",
                "a=not.1",
                "a=EQ.1",
                "a=eq.1,",
                "a==eq.1"
            })
    void whatIsNoFilterIsNone(String text) {
        assertThat(FilterParser.parse(text)).isEmpty();
    }
}
