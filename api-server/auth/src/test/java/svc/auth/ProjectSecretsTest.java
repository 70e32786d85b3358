package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import svc.crds.project.ActiveSecret;
import svc.crds.reference.SecretKeyReference;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** A value of a Secret is opened for the project that it was sealed for, and for nothing else. */
class ProjectSecretsTest {
    private static final SecretKeyReference REFERENCE = new SecretKeyReference("smtp", "password");

    @Test
    void onlyTheProjectThatItWasSealedForOpensIt() {
        var projects = TestingProjects.create();
        var secrets = new ProjectSecrets(projects.purposeRoots());
        Tenant shop = projects.project("shopshopshop");
        Tenant other = projects.project("otherotherot");
        var leaf = projects.purposeRoots()
                .require(Purpose.SEALED, 1)
                .leaf(shop.scope().withKeyVersion(Adoption.KEY_VERSION));
        var sealed = List.of(new ActiveSecret(
                "smtp", "password", SealedText.seal(leaf, SealedText.Use.AUTH_SECRET, "the-password")));
        var verifyKey = List.of(
                new ActiveSecret("smtp", "password", SealedText.seal(leaf, SealedText.Use.VERIFY_KEY, "the-password")));

        assertThat(secrets.value(shop.withAuthSecrets(sealed), REFERENCE)).contains("the-password");
        assertThat(secrets.value(other.withAuthSecrets(sealed), REFERENCE)).isEmpty();
        assertThat(secrets.value(shop.withAuthSecrets(verifyKey), REFERENCE)).isEmpty();
        assertThat(secrets.value(shop.withAuthSecrets(sealed), new SecretKeyReference("smtp", "other")))
                .isEmpty();
    }
}
