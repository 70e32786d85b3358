package svc.operator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.database.architecture.LinearText;

/** {@link LinearText} in the operator; that of the API server covers the modules which both use. */
class OperatorReadsTextLinearlyTest {
    private static final LinearText TEXT = new LinearText(Map.of(
            "svc.operator.config.MasterKeyRing",
            "names of entries of the installation's Secret, 253 characters",
            "svc.operator.project.connection.ConnectionSecret",
            "values of a Secret, 1 MiB by Kubernetes; single classes of characters, each with a maximum",
            "svc.operator.project.desired.ProjectAddresses",
            "an address that the operator has made; the expression is anchored",
            "svc.operator.function.variable.SecretValue",
            "names of variables, 63 characters by the definition; the expression is anchored"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("svc.operator");

    @Test
    void nothingBacktracks() {
        TEXT.rule().check(CLASSES);
    }

    @Test
    void theListHasNoEntryThatIsNotNeeded() {
        assertThat(TEXT.unused(CLASSES)).as("remove these entries").isEmpty();
    }
}
