package svc.database.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

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
    static final ArchRule onlyTheTwoSides = noClasses()
            .that()
            .resideInAPackage("svc.database..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("svc.operator..", "svc.api..", "svc.crds..", "io.fabric8..", "io.quarkus..")
            .because("operator and api-server share this module, and neither may leak into it");

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
