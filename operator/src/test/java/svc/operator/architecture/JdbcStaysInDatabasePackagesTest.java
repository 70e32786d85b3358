package svc.operator.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "svc.operator", importOptions = ImportOption.DoNotIncludeTests.class)
class JdbcStaysInDatabasePackagesTest {
    @ArchTest
    static final ArchRule statements = noClasses()
            .that()
            .resideOutsideOfPackage("svc.operator..database..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.sql\\..*|org\\.postgresql\\..*")
            .because(
                    "SQL text that was put together elsewhere could carry what a tenant wrote; a DataSource may be handed on,"
                            + " a statement may not be made");
}
