package svc.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The control plane is several modules, so that an edit of one compiles and tests one. */
@AnalyzeClasses(
        packages = "svc.management",
        importOptions = {ImportOption.DoNotIncludeTests.class, BoundariesTest.WithoutFixtures.class})
class ManagementModulesTest {
    private static final Path FOLDER = Path.of("..", "management");
    private static final String ROOT = "svc.management";
    private static final String CORE = "core";

    /** The packages of each module, by its folder. */
    private static final Map<String, Set<String>> MODULES = modules();

    @ArchTest
    static void eachPackageIsOfOneModule(JavaClasses classes) {
        assertThat(MODULES.values().stream().flatMap(Set::stream)).doesNotHaveDuplicates();
        assertThat(classes.stream().map(JavaClass::getPackageName))
                .isSubsetOf(MODULES.values().stream().flatMap(Set::stream).toList());
    }

    /** Maven refuses a cycle of modules; this names the classes that would make one. */
    @ArchTest
    static final ArchRule MODULES_HAVE_NO_CYCLES = slices().assignedFrom(
                    slicesBy("module", ManagementModulesTest::module))
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_OTHER_MODULE = noClasses()
            .that()
            .resideInAnyPackage(packages(CORE::equals))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(packages(module -> !module.equals(CORE)))
            .because("tools and credentials of a module are beans of it, which the core finds by their interface");

    /** An area is the first name below {@code svc.management}; what all areas need is an area of the core. */
    @ArchTest
    static final ArchRule AREAS_HAVE_NO_CYCLES = slices().assignedFrom(slicesBy("area", ManagementModulesTest::area))
            .should()
            .beFreeOfCycles();

    private static String module(JavaClass type) {
        return MODULES.entrySet().stream()
                .filter(module -> module.getValue().contains(type.getPackageName()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    private static String area(JavaClass type) {
        return type.getPackageName().substring(ROOT.length()).replaceFirst("^\\.([a-z]+).*", "$1");
    }

    private static SliceAssignment slicesBy(String kind, Function<JavaClass, String> name) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith(ROOT)
                        ? SliceIdentifier.of(kind, name.apply(type))
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "each " + kind + " of " + ROOT;
            }
        };
    }

    private static String[] packages(Predicate<String> modules) {
        return MODULES.entrySet().stream()
                .filter(module -> modules.test(module.getKey()))
                .flatMap(module -> module.getValue().stream())
                .toArray(String[]::new);
    }

    private static Map<String, Set<String>> modules() {
        try (Stream<Path> folders = Files.list(FOLDER)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .collect(Collectors.toMap(
                            folder -> folder.getFileName().toString(),
                            ManagementModulesTest::packagesOf,
                            (one, other) -> one,
                            TreeMap::new));
        } catch (IOException e) {
            throw new UncheckedIOException("while listing the modules of the control plane", e);
        }
    }

    private static Set<String> packagesOf(Path module) {
        Path sources = module.resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException("while listing the packages of " + module, e);
        }
    }
}
