package svc.embedded.kubernetes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The parts of the Kubernetes API stay apart: what is pure does no I/O, and nothing goes in circles. */
@AnalyzeClasses(packages = "svc.embedded", importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("svc.embedded.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule THE_STORE_KNOWS_NO_KINDS = noClasses()
            .that()
            .resideInAPackage("..kubernetes.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..kubernetes.type..", "..kubernetes.write..", "..kubernetes.http..");

    @ArchTest
    static final ArchRule PURE_PARTS_DO_NO_IO = noClasses()
            .that()
            .resideInAnyPackage(
                    "..ownership..", "..patch..", "..selector..", "..table..", "..schema..", "..discovery..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.vertx..", "java.nio.file..", "java.net.http..", "..kubernetes.http..", "..kubernetes.write..");
}
