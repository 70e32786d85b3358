package svc.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.ws.rs.HttpMethod;
import java.util.List;

/**
 * The boundaries of DESIGN §2 inside the api-server that Maven's dependencies cannot say. That no service knows another,
 * that {@code platform} and {@code postgres} know no service, that the gateway knows none and is known by none, that the
 * operator is reached through custom resources only and that the embedded servers are part of tests only, is said by the
 * modules' own {@code pom.xml}.
 */
@AnalyzeClasses(
        packages = "svc",
        importOptions = {ImportOption.DoNotIncludeTests.class, BoundariesTest.WithoutFixtures.class})
class BoundariesTest {
    /** Maven gives the fixtures of other modules as folders, or, where it packages, as jars; two modules are fixtures alone. */
    static final class WithoutFixtures implements ImportOption {
        private static final List<String> FIXTURES =
                List.of("-tests.jar", "/testing/target/", "/svc-testing", "/embedded/target/", "/svc-embedded");

        @Override
        public boolean includes(Location location) {
            return FIXTURES.stream().noneMatch(location::contains);
        }
    }

    /** Deploying needs the stored bundles and the logs of functions; how a call is served is the service's own matter. */
    @ArchTest
    static final ArchRule MANAGEMENT_USES_ARTIFACTS_AND_LOGS_OF_FUNCTIONS_ONLY = noClasses()
            .that()
            .resideInAPackage("svc.management..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("svc.functions");

    /** A service is found by its interface; a gateway that names one could not be built without it. */
    @ArchTest
    static final ArchRule THE_GATEWAY_NAMES_NO_SERVICE = noClasses()
            .that()
            .resideInAPackage("svc.server..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "svc.rest..",
                    "svc.graphql..",
                    "svc.auth..",
                    "svc.functions..",
                    "svc.storage..",
                    "svc.realtime..",
                    "svc.management..");

    /** The operator's side of the module database runs its steps on connections that the operator opens. */
    @ArchTest
    static final ArchRule ONLY_POSTGRES_TOUCHES_JDBC = noClasses()
            .that()
            .resideOutsideOfPackages("svc.postgres..", "svc.database..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..");

    /** Packages that need each other are one package, and cannot be moved, tested or understood apart. */
    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching("svc.(**)").should().beFreeOfCycles();

    /** What answers a call must not block the event loop that serves all others. */
    @ArchTest
    static final ArchRule RESOURCES_RUN_ON_VIRTUAL_THREADS = classes()
            .that()
            .areAnnotatedWith(jakarta.ws.rs.Path.class)
            .should()
            .beAnnotatedWith(io.smallrye.common.annotation.RunOnVirtualThread.class);

    /** A class name that says nothing of what it is in charge of. */
    @ArchTest
    static final ArchRule NO_EMPTY_NAMES =
            noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl|Common|Misc)");

    /** A call without an id cannot be named in the OpenAPI document, and clients are generated from it. */
    @ArchTest
    static final ArchRule EVERY_CALL_HAS_AN_OPERATION_ID = methods()
            .that()
            .areMetaAnnotatedWith(HttpMethod.class)
            .should()
            .beAnnotatedWith(org.eclipse.microprofile.openapi.annotations.Operation.class);
}
