package svc.e2e;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The benchmarks and what they start are packages that can be understood apart. */
@AnalyzeClasses(packages = "svc.e2e", importOptions = ImportOption.DoNotIncludeTests.class)
class BenchmarkPackagesTest {
    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching("svc.e2e.(**)").should().beFreeOfCycles();
}
