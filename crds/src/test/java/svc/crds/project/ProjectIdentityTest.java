package svc.crds.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProjectIdentityTest {

    /** Computed by another implementation of UUIDv5, SHA-256 and base32; they hold for ever. */
    @ParameterizedTest
    @CsvSource({
        "default, shop,    90eb445c-4e96-5545-95e4-7072f387fbfa, l2tmr5up",
        "team-a,  shop,    476d2d46-793e-5277-9538-5341702da781, jmktuu7l",
        "default, Ünïcode, 8c8c92ae-05e3-5477-aa03-5b39f841a6f3, wvjybome",
        "a,       b,       2c30eeef-d51e-5c1f-b603-dab51b0e3993, s2xdv375",
        "default, app11,   7f234b2c-84ad-59c4-907a-90bd95fafe92, ljl5s7zj",
    })
    void aManifestAlwaysMeansTheSameProject(String namespace, String name, UUID projectId, String ref) {
        assertThat(ProjectIdentity.of(namespace, name, Optional.empty(), Optional.empty()))
                .isEqualTo(new ProjectIdentity(ref, projectId));
    }

    @Test
    void aRefFollowsFromAGivenId() {
        UUID given = UUID.fromString("0b0f2bb1-2b2d-4e57-9d5c-0f8a3a1f7c11");

        assertThat(ProjectIdentity.of("default", "shop", Optional.empty(), Optional.of(given)))
                .isEqualTo(ProjectIdentity.of("other", "name", Optional.empty(), Optional.of(given)))
                .isEqualTo(new ProjectIdentity("izr6fm2a", given));
    }

    @Test
    void whatIsGivenIsKept() {
        ProjectIdentity derived = ProjectIdentity.of("default", "shop", Optional.empty(), Optional.empty());

        assertThat(ProjectIdentity.of("default", "shop", Optional.of("abcdefgh"), Optional.empty()))
                .isEqualTo(new ProjectIdentity("abcdefgh", derived.projectId()));
    }

    @Test
    void everyDerivedIdentityIsWellFormedAndItsOwn() {
        var derived = IntStream.range(0, 5_000)
                .mapToObj(i -> ProjectIdentity.of("default", "app-" + i, Optional.empty(), Optional.empty()))
                .toList();

        assertThat(derived).allSatisfy(identity -> {
            assertThat(identity.ref()).matches("[a-z][a-z0-9]{7}");
            assertThat(identity.projectId().version()).isEqualTo(5);
            assertThat(identity.projectId().variant()).isEqualTo(2);
        });
        assertThat(derived).extracting(ProjectIdentity::projectId).doesNotHaveDuplicates();
    }
}
