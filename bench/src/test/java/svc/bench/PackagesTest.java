package svc.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The suites of each service can be understood apart. */
@AnalyzeClasses(packages = "svc.bench", importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("svc.bench.(**)").should().beFreeOfCycles();
}
