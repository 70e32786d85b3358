package svc.operator.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

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
        "svc.operator.pod..",
        "svc.operator.project.backend..",
        "svc.operator.project.desired..",
        "svc.operator.project.failure..",
        "svc.operator.project.status..",
        "svc.operator.function.desired..",
        "svc.operator.function.status..",
        "svc.operator.watch.rule.."
    };

    @ArchTest
    static final ArchRule sqlStaysInTheDatabasePackages = noClasses()
            .that()
            .resideOutsideOfPackage("..database..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "io.agroal.."))
            .because("SQL that is written in one place can be read in one place (DESIGN §2)");

    @ArchTest
    static final ArchRule desiredStateAndStatusArePure = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "io.fabric8.kubernetes.client..",
                            "io.javaoperatorsdk..",
                            "java.net.http..",
                            "java.sql..",
                            "svc.operator.assembly..",
                            "svc.operator.config..")
                    .and(describe(
                            "are not the client's exception, which FailureMapper reads",
                            type -> !type.isEquivalentTo(KubernetesClientException.class)
                                    && !type.getName().equals("io.fabric8.kubernetes.client.CustomResource"))))
            .because("a pure function is tested by its arguments, and the same input always gives the same status");

    @ArchTest
    static final ArchRule clockAndRandomAreArguments = noClasses()
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
    static final ArchRule noDependencyOnTheApiServer = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("svc..")
                    .and(not(resideInAnyPackage("svc.operator..", "svc.crds..", "svc.database.."))))
            .because("the two sides meet in custom resources only (DESIGN §2)");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().matching("svc.operator.(**)")
            .should()
            .beFreeOfCycles()
            .because("a package whose dependencies lead back to it can be neither read nor changed alone");

    @ArchTest
    static final ArchRule areasHaveNoCycles = slices().matching("svc.operator.(*)..")
            .should()
            .beFreeOfCycles()
            .because(
                    "function and secret build on project, and project on kubernetes, config and database, never back");

    @ArchTest
    static final ArchRule nothingDependsOnTheAssembly = noClasses()
            .that()
            .resideOutsideOfPackage("svc.operator.assembly..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("svc.operator.assembly..")
            .because("what wires all parts together would make each part depend on all others");

    @ArchTest
    static final ArchRule onlyOneClassChoosesTheBackend = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "svc.operator.project.shared..",
                    "svc.operator.project.dedicated..",
                    "svc.operator.project.adopted..",
                    "svc.operator.assembly..")
            .and()
            .doNotHaveSimpleName("ProjectReconciler")
            .and()
            .doNotHaveSimpleName("ProjectServices")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "svc.operator.project.shared..",
                    "svc.operator.project.dedicated..",
                    "svc.operator.project.adopted.."))
            .because("steps that ask which kind of database a project has would repeat the choice of ProjectBackends");

    @ArchTest
    static final ArchRule noNameThatFitsAnything = classes()
            .should()
            .haveNameNotMatching(".*(Utils?|Helper|Manager|Impl|Common|Misc)")
            .because("such a name fits anything, so anything ends up in it");
}
