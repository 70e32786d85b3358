package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Functions of two platforms on one machine run as different users. */
class ConfinementTest {
    @Test
    void twoPlatformsGiveOutDifferentUsers() {
        var first = Confinement.ofOrdinaryUser();
        var second = Confinement.ofOrdinaryUser();
        Set<Integer> users = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            users.add(first.takeUser());
            users.add(second.takeUser());
        }
        assertThat(users).hasSize(20);
        users.forEach(first::giveBack);
    }
}
