package svc.api.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.ws.rs.HttpMethod;

/** DESIGN §2, as far as it speaks of the api-server. */
@AnalyzeClasses(packages = "svc.api", importOptions = ImportOption.DoNotIncludeTests.class)
class BoundariesTest {
    private static final String[] SERVICES = {
        "svc.api.rest..",
        "svc.api.auth..",
        "svc.api.storage..",
        "svc.api.realtime..",
        "svc.api.graphql..",
        "svc.api.functions.."
    };

    /** A service that reads another's internals could not be served, or fail, without it. */
    @ArchTest
    static final ArchRule SERVICES_DO_NOT_KNOW_EACH_OTHER = slices().matching(
                    "svc.api.(rest|auth|storage|realtime|graphql|functions)..")
            .should()
            .notDependOnEachOther()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule SERVICES_USE_TENANCY_DB_AND_GATEWAY_ONLY = noClasses()
            .that()
            .resideInAnyPackage(SERVICES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("svc.api.management..", "svc.api.sandbox..")
            .allowEmptyShould(true);

    /** The planes meet at the door and nowhere else. */
    @ArchTest
    static final ArchRule MANAGEMENT_KNOWS_NO_SERVICE = noClasses()
            .that()
            .resideInAPackage("svc.api.management..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVICES);

    @ArchTest
    static final ArchRule WHAT_SERVES_BOTH_PLANES_KNOWS_NEITHER = noClasses()
            .that()
            .resideInAnyPackage("svc.api.gateway..", "svc.api.tenancy..", "svc.api.db..", "svc.api.runtime..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("svc.api.management..");

    @ArchTest
    static final ArchRule THE_OPERATOR_IS_REACHED_THROUGH_RESOURCES_ONLY =
            noClasses().should().dependOnClassesThat().resideInAPackage("svc.operator..");

    @ArchTest
    static final ArchRule ONLY_DB_TOUCHES_JDBC = noClasses()
            .that()
            .resideOutsideOfPackage("svc.api.db..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..");

    /** Tests stand on it; the product must run without it. */
    @ArchTest
    static final ArchRule NOTHING_EMBEDDED_IN_THE_PRODUCT =
            noClasses().should().dependOnClassesThat().resideInAPackage("svc.embedded..");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("svc.api.(*)..").should().beFreeOfCycles();

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
