package svc.sqlgate.lexical;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.sqlgate.SharedGate;
import svc.sqlgate.parser.ParseResult;

/** JSqlParser may make a script refused; it neither delays nor ends anything, and has nothing against ordinary SQL. */
@Timeout(120)
class JSqlParserCrossCheckTest {
    private final JSqlParserCrossCheck second = JSqlParserCrossCheck.prepared();

    private OptionalInt count(String sql) {
        try (JSqlParserCrossCheck.Reading reading = second.begin(sql)) {
            return reading.count();
        }
    }

    /** Waits for a place: readings that were given up keep theirs until they stop. */
    private void assertReads() {
        OptionalInt found = OptionalInt.empty();
        while (found.isEmpty()) {
            found = count("SELECT 1; SELECT 2");
        }
        assertThat(found).hasValue(2);
    }

    static final String[] UNREAD = {
        "",
        " \n",
        "DO $$ BEGIN END $$",
        "SELECT 1; NOTIFY pgrst",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'; SELECT 2",
        "BEGIN; SELECT 1; COMMIT",
        "SELECT '" + "x".repeat(JSqlParserCrossCheck.MAX_LENGTH) + "'",
    };

    @ParameterizedTest
    @FieldSource("UNREAD")
    void skipsWhatItDoesNotReadToItsEnd(String sql) {
        assertReads();
        assertThat(count(sql)).isEmpty();
    }

    static final String[] DEEP = {
        "SELECT " + "(".repeat(15_000) + "1" + ")".repeat(15_000),
        "SELECT 1" + "+1".repeat(30_000),
        "SELECT 1" + " UNION SELECT 1".repeat(4_000),
        "SELECT " + "CASE WHEN a THEN ".repeat(2_500) + "1" + " END".repeat(2_500),
        "SELECT " + "f(".repeat(15_000) + "1" + ")".repeat(15_000),
        "SELECT " + "(SELECT ".repeat(5_000) + "1" + ")".repeat(5_000),
        "SELECT " + "NOT ".repeat(15_000) + "a",
        "SELECT " + "a[".repeat(15_000) + "1" + "]".repeat(15_000),
    };

    @ParameterizedTest
    @FieldSource("DEEP")
    void survivesDeepNesting(String sql) {
        count(sql);
        assertReads();
    }

    @Test
    void knowsNoEndOfStatementButTheSemicolon() {
        assertReads();
        assertThat(count("SELECT a\n\n\n\nFROM t\nGO\n\r\n\r\n\r\nWHERE b")).hasValue(1);
    }

    @Test
    void hasNothingAgainstOrdinaryMigrations() {
        var random = new Random(4);
        int read = 0;
        var agreed = new ConsensusParser(SharedGate.reader());
        for (int i = 0; i < 400; i++) {
            List<String> statements = OrdinaryStatements.some(random, 1 + random.nextInt(6));
            String sql = OrdinaryStatements.script(random, statements);
            assertThat(agreed.parse(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            ParseResult.Parsed.class,
                            parsed -> assertThat(parsed.statements()).hasSameSizeAs(statements));
            read += count(sql).isPresent() ? 1 : 0;
        }
        assertThat(read)
                .as("scripts that JSqlParser read, so that the test says something")
                .isGreaterThan(80);
    }

    @Test
    void hasNothingAgainstAnyOrdinaryStatement() {
        List<String> refused = new ArrayList<>();
        var agreed = new ConsensusParser(SharedGate.reader());
        for (String statement : OrdinaryStatements.ALL) {
            if (!(agreed.parse(statement + ";\n\n\n" + statement) instanceof ParseResult.Parsed parsed)
                    || parsed.statements().size() != 2) {
                refused.add(statement);
            }
        }
        assertThat(refused).isEmpty();
    }
}
