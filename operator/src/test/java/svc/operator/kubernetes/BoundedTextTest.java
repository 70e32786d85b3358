package svc.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionStatus;

/** Texts are cut at whole characters, by their bytes in UTF-8. */
class BoundedTextTest {
    @Test
    void aShortTextStays() {
        assertThat(BoundedText.atMost(10, "0123456789")).isEqualTo("0123456789");
        assertThat(BoundedText.atMost(10, "€€€")).isEqualTo("€€€");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "€", "😀"})
    void aLongOneIsCutBetweenCharacters(String character) {
        String cut = BoundedText.atMost(100, character.repeat(1_000));

        assertThat(cut).endsWith("…").matches("(" + character + ")+…");
        assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isBetween(94, 100);
    }

    @Test
    void messagesOfConditionsAreBounded() {
        var tooLong = new Condition("Ready", ConditionStatus.FALSE, 1L, Instant.EPOCH, "Long", "€".repeat(20_000));

        Condition bounded = BoundedText.messages(List.of(tooLong)).getFirst();

        assertThat(bounded.message().getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(BoundedText.MAX_MESSAGE_BYTES);
        assertThat(bounded).returns("Long", Condition::reason).returns(1L, Condition::observedGeneration);
    }
}
