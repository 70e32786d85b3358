package svc.operator.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The boundaries of the operator's packages, each with its reason. */
@AnalyzeClasses(packages = "svc.operator", importOptions = ImportOption.DoNotIncludeTests.class)
class OperatorArchitectureTest {
    private static final String[] PURE = {
        "svc.operator.project.desired..",
        "svc.operator.project.status..",
        "svc.operator.function.desired..",
        "svc.operator.function.status.."
    };

    @ArchTest
    static final ArchRule sqlStaysInTheDatabasePackages = noClasses()
            .that()
            .resideOutsideOfPackage("..database..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "io.agroal.."))
            .because("SQL that is written in one place can be read in one place (DESIGN §2)");

    @ArchTest
    static final ArchRule whatIsDesiredAndWhatIsToldArePure = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "io.fabric8.kubernetes.client..",
                            "io.javaoperatorsdk..",
                            "java.net.http..",
                            "java.sql..",
                            "svc.operator.runtime..")
                    .and(describe(
                            "are not the exception that a failure is told by",
                            type -> !type.isEquivalentTo(KubernetesClientException.class)
                                    && !type.getName().equals("io.fabric8.kubernetes.client.CustomResource"))))
            .because("a pure function is tested by its arguments, and the same input always gives the same status");

    @ArchTest
    static final ArchRule timeAndChanceComeFromOutside = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class)
            .because("a test moves the clock instead of waiting");

    @ArchTest
    static final ArchRule nothingReachesTheApiServerModule = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage("svc.api..", "svc.embedded.."))
            .because("the two sides meet in custom resources only (DESIGN §2)");

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = classes()
            .should()
            .haveNameNotMatching(".*(Utils?|Helper|Manager|Impl|Common|Misc)")
            .because("such a name fits anything, so anything ends up in it");
}
