package svc.storage.resumable;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import svc.storage.resumable.ConcatPlan.Range;
import svc.storage.resumable.ConcatPlan.Step;

/** The parts of a file that is put together cover it in order, and have sizes that S3 takes. */
class ConcatPlanTest {
    private static void check(List<Long> sizes) {
        List<Step> steps = ConcatPlan.of(sizes);
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            boolean last = i == steps.size() - 1;
            switch (steps.get(i)) {
                case Step.Copy(Range range) -> {
                    assertThat(range.length()).as("%s", sizes).isBetween(ConcatPlan.MIN, ConcatPlan.MAX_COPY);
                    ranges.add(range);
                }
                case Step.Gather gather -> {
                    assertThat(gather.bytes())
                            .as("%s", sizes)
                            .isBetween(last ? 1 : (int) ConcatPlan.MIN, ConcatPlan.MAX_GATHERED);
                    ranges.addAll(gather.ranges());
                }
            }
        }
        int source = 0;
        long at = 0;
        for (Range range : ranges) {
            while (at == sizes.get(source)) {
                source++;
                at = 0;
            }
            assertThat(range.source()).as("%s", sizes).isEqualTo(source);
            assertThat(range.from()).as("%s", sizes).isEqualTo(at);
            at += range.length();
        }
        assertThat(ranges.stream().mapToLong(Range::length).sum())
                .isEqualTo(sizes.stream().mapToLong(Long::longValue).sum());
    }

    @Test
    void atTheBounds() {
        long min = ConcatPlan.MIN;
        long most = ConcatPlan.MAX_COPY;
        check(List.of());
        check(List.of(0L, 0L));
        check(List.of(min - 1, min, min + 1));
        check(List.of(1L, 2 * min - 2));
        check(List.of(1L, 2 * min - 1));
        check(List.of(most, most + 1, most + min - 1, most + min, 2 * most + 1));
        check(List.of(50L << 30));
    }

    @Test
    void ofAnySizes() {
        var random = new Random(5);
        long[] scales = {10, ConcatPlan.MIN, 2 * ConcatPlan.MIN, 3 * ConcatPlan.MAX_COPY};
        for (int round = 0; round < 2_000; round++) {
            List<Long> sizes = new ArrayList<>();
            int count = random.nextInt(8);
            for (int i = 0; i < count; i++) {
                sizes.add(random.nextLong(scales[random.nextInt(scales.length)]));
            }
            check(sizes);
        }
    }
}
