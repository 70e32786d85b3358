package svc.database.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Boundaries of the module; that it knows neither its users nor Kubernetes, its pom.xml says. */
@AnalyzeClasses(packages = "svc.database", importOptions = ImportOption.DoNotIncludeTests.class)
class DatabaseBoundariesTest {
    private static final String[] PURE = {
        "svc.database.sql..", "svc.database.name..", "svc.database.key..", "svc.database.project.."
    };

    @ArchTest
    static final ArchRule pureCore = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "java.net..", "org.flywaydb..")
            .because(
                    "what SQL to run is decided without a connection, so that it can be tested and printed without one");

    @ArchTest
    static final ArchRule noClockNoChance = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.time\\.(Clock|Instant)|java\\.util\\.Random|java\\.security\\.SecureRandom")
            .because("the same inputs must give the same keys, names and plans on every pod");

    @ArchTest
    static final ArchRule noCycles = slices().matching("svc.database.(**)")
            .should()
            .beFreeOfCycles()
            .because("packages that need each other cannot be understood apart");

    @ArchTest
    static final ArchRule telling = classes()
            .should()
            .haveSimpleNameNotEndingWith("Utils")
            .andShould()
            .haveSimpleNameNotEndingWith("Helper")
            .andShould()
            .haveSimpleNameNotEndingWith("Manager")
            .andShould()
            .haveSimpleNameNotEndingWith("Impl")
            .because("a name says what a thing is in charge of");
}
