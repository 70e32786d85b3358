package svc.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: passwords are kept at the cost that OWASP asks for, and hashes of other places are taken along. */
class PasswordHashesTest {
    private static final String BCRYPT = "$2a$10$KBCwKxOzLha2MUDgW0PjXe3YWzG9nt08N08NKofFFY/Mxyb/oaUy2";

    private static final UUID PROJECT = new UUID(1, 1);

    private final PasswordHashes hashes = new PasswordHashes();

    @Test
    void aNewHashIsArgon2idOf19MiBAndTwoPasses() {
        String hash = hashes.hash(PROJECT, "correct horse");

        assertThat(hash).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
        assertThat(hashes.matches(PROJECT, "correct horse", Optional.of(hash))).isTrue();
        assertThat(hashes.matches(PROJECT, "correct hors", Optional.of(hash))).isFalse();
        assertThat(hashes.isOld(hash)).isFalse();
        assertThat(hashes.hash(PROJECT, "correct horse"))
                .as("each has a salt of its own")
                .isNotEqualTo(hash);
    }

    @Test
    void aHashOfAnotherPlaceOrCostMatchesAndIsOld() {
        String cheaper = new PasswordHashes(new PasswordHashes.Cost(64, 1)).hash(PROJECT, "correct horse");

        for (String hash : new String[] {BCRYPT, cheaper}) {
            assertThat(hashes.matches(PROJECT, "correct horse", Optional.of(hash)))
                    .as(hash)
                    .isTrue();
            assertThat(hashes.matches(PROJECT, "Correct horse", Optional.of(hash)))
                    .as(hash)
                    .isFalse();
            assertThat(hashes.isOld(hash)).as(hash).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            $2a$12$KBCwKxOzLha2MUDgW0PjXe3YWzG9nt08N08NKofFFY/Mxyb/oaUy2                | ACCEPTED
            $2a$13$KBCwKxOzLha2MUDgW0PjXe3YWzG9nt08N08NKofFFY/Mxyb/oaUy2                | TOO_COSTLY
            $2a$31$KBCwKxOzLha2MUDgW0PjXe3YWzG9nt08N08NKofFFY/Mxyb/oaUy2                | TOO_COSTLY
            $2a$03$KBCwKxOzLha2MUDgW0PjXe3YWzG9nt08N08NKofFFY/Mxyb/oaUy2                | UNKNOWN_FORM
            $argon2id$v=19$m=65536,t=4,p=4$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g | ACCEPTED
            $argon2id$v=19$m=65536,t=5,p=4$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g | TOO_COSTLY
            $argon2id$v=19$m=65537,t=1,p=4$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g | TOO_COSTLY
            $argon2id$v=19$m=9999999,t=999,p=99$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA | TOO_COSTLY
            $argon2d$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g      | UNKNOWN_FORM
            $scrypt$ln=20,r=8,p=1$c2FsdA$aGFzaA                                          | UNKNOWN_FORM
            """)
    void theCostOfAnImportedHashIsBounded(String hash, PasswordHashes.Judgement judgement) {
        assertThat(PasswordHashes.judge(hash)).isEqualTo(judgement);
    }

    @Test
    void whatIsNoHashMatchesNothing() {
        for (String none :
                new String[] {"", "correct horse", "$2a$31$" + BCRYPT.substring(7), "$argon2d$v=19$m=64,t=1,p=1$a$b"}) {
            assertThat(hashes.matches(PROJECT, "correct horse", Optional.of(none)))
                    .as(none)
                    .isFalse();
        }
        assertThat(hashes.matches(PROJECT, "nobody has this password", Optional.empty()))
                .isFalse();
    }
}
