package svc.crds;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Boundaries of the module; that it imports no other module of ours, its pom.xml says. */
@AnalyzeClasses(packages = "svc.crds", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule noCycles = slices().matching("svc.crds.(**)")
            .should()
            .beFreeOfCycles()
            .because("packages that need each other cannot be understood apart");

    @ArchTest
    static final ArchRule onlyTheCatalogReadsFiles = noClasses()
            .that()
            .doNotHaveSimpleName("CrdCatalog")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.net..", "java.sql..")
            .because("the kinds are values");

    @ArchTest
    static final ArchRule conditionsArePure = classes()
            .that()
            .resideInAPackage("svc.crds.condition..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "svc.crds.condition..",
                    "java.lang..",
                    "java.util",
                    "java.util.function",
                    "java.util.stream",
                    "java.time..",
                    "com.fasterxml.jackson.annotation..",
                    "io.fabric8.generator.annotation..")
            .because("conditions are computed, never fetched");

    @ArchTest
    static final ArchRule noClassReadsAClockOrDice = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class)
            .because("time and chance are given to a value, so that it can be tested");

    @ArchTest
    static final ArchRule namesSayWhatThingsAre = noClasses()
            .should()
            .haveNameMatching(".*(Utils?|Helper|Manager|Impl|Common|Misc)")
            .because("a name that says nothing attracts everything");
}
