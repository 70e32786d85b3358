package svc.storage.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** A number is taken once; what was taken and not recorded is skipped. */
class PartNumbersTest {
    @Test
    void numbersBehindTheRecordedOnesAreSkipped() {
        PartNumbers taken = PartNumbers.upTo(0).next().next().next();
        assertThat(taken.only(3)).isEqualTo(taken);
        PartNumbers left = taken.only(2);
        assertThat(left).isEqualTo(new PartNumbers(3, Set.of(3)));
        assertThat(left.count()).isEqualTo(2);
        assertThat(left.contain(3)).isFalse();
        assertThat(left.next().contain(4)).isTrue();
        assertThat(left.next().next().only(3)).isEqualTo(new PartNumbers(5, Set.of(3, 5)));
        assertThat(left.next().next().only(0).count()).isZero();
        assertThat(left.contain(0)).isFalse();
        assertThat(left.contain(4)).isFalse();
    }
}
