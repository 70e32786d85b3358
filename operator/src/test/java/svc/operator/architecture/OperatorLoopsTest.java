package svc.operator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import svc.database.architecture.OwnLoops;

/**
 * Promise: background work of the operator on projects' databases is run by the runner. That each loop has a hostile test, {@code
 * HostileLoopsTest} says.
 */
class OperatorLoopsTest {
    private static final OwnLoops OWN_LOOPS = new OwnLoops(Set.of("javax.sql.DataSource", "java.sql.Connection"));

    /** Classes that repeat work by themselves, and why none of it waits for a project's locks. */
    private static final Map<String, String> OTHERS = Map.of(
            "svc.operator.database.PartitionMaintenance",
            "tables of the platform alone",
            "svc.operator.database.SharedDatabases",
            "prepares each database once, on a thread of its own",
            "svc.operator.watch.database.ServerWatch",
            "one connection to each database, whose sessions and locks it reads and waits for none");

    @Test
    void noClassLoopsOverDatabasesByItself() {
        assertThat(OWN_LOOPS.in(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("svc.operator", "svc.database")))
                .as("make it a ProjectLoop and give it to the ProjectRunner, or say here why it waits for no project")
                .isEqualTo(OTHERS.keySet());
    }
}
