package svc.management.branch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.database.sql.Identifier;

/** The order in which rows of tables are written. */
class BranchTableTest {
    private static BranchTable table(String id, String... refersTo) {
        return new BranchTable(id, Identifier.of("t" + id), List.of(), List.of(), Arrays.asList(refersTo), true);
    }

    private static List<String> order(BranchTable... tables) {
        return BranchTable.inOrder(Arrays.asList(tables)).stream()
                .map(BranchTable::id)
                .toList();
    }

    @Test
    void eachTableComesBehindThoseThatItRefersTo() {
        assertThat(order(table("1", "3"), table("2", "1"), table("3"), table("4")))
                .containsExactly("3", "4", "1", "2");
    }

    @Test
    void aCircleAndATableOfElsewhereDoNotStopIt() {
        assertThat(order(table("1", "2"), table("2", "1"), table("3", "99"))).containsExactly("3", "1", "2");
    }
}
