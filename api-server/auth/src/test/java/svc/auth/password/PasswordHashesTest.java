package svc.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Promise: passwords are kept at the cost that OWASP asks for, and hashes of other places are taken along. */
class PasswordHashesTest {
    private static final String BCRYPT = "$2a$10$KBCwKxOzLha2MUDgW0PjXe3YWzG9nt08N08NKofFFY/Mxyb/oaUy2";

    private final PasswordHashes hashes = new PasswordHashes();

    @Test
    void aNewHashIsArgon2idOf19MiBAndTwoPasses() {
        String hash = hashes.hash("correct horse");

        assertThat(hash).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
        assertThat(hashes.matches("correct horse", Optional.of(hash))).isTrue();
        assertThat(hashes.matches("correct hors", Optional.of(hash))).isFalse();
        assertThat(hashes.isOld(hash)).isFalse();
        assertThat(hashes.hash("correct horse"))
                .as("each has a salt of its own")
                .isNotEqualTo(hash);
    }

    @Test
    void aHashOfAnotherPlaceOrCostMatchesAndIsOld() {
        String cheaper = new PasswordHashes(new PasswordHashes.Cost(64, 1)).hash("correct horse");

        for (String hash : new String[] {BCRYPT, cheaper}) {
            assertThat(hashes.matches("correct horse", Optional.of(hash)))
                    .as(hash)
                    .isTrue();
            assertThat(hashes.matches("Correct horse", Optional.of(hash)))
                    .as(hash)
                    .isFalse();
            assertThat(hashes.isOld(hash)).as(hash).isTrue();
        }
    }

    @Test
    void whatIsNoHashMatchesNothing() {
        for (String none :
                new String[] {"", "correct horse", "$2a$31$" + BCRYPT.substring(7), "$argon2d$v=19$m=64,t=1,p=1$a$b"}) {
            assertThat(hashes.matches("correct horse", Optional.of(none)))
                    .as(none)
                    .isFalse();
        }
        assertThat(hashes.matches("nobody has this password", Optional.empty())).isFalse();
    }
}
