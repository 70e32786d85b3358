package svc.sqlgate.lexical;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.statement.Block;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.Statements;
import net.sf.jsqlparser.statement.UnsupportedStatement;
import net.sf.jsqlparser.statement.create.function.CreateFunction;
import net.sf.jsqlparser.statement.create.procedure.CreateProcedure;

/**
 * Counts the statements of a script with JSqlParser, a parser that shares nothing with PostgreSQL's. It reads less than
 * PostgreSQL and some things wrongly, so it can only make a script refused, never allowed; a script that it does not read
 * is skipped.
 *
 * <p>It runs in this process, on a thread of its own with a stack of its own: deep nesting overflows that stack alone. A
 * parse that is given up is interrupted, which JSqlParser checks between expressions; until it stops it keeps its
 * place, and with all places taken scripts are skipped, so no text costs more than those threads.
 */
final class JSqlParserCrossCheck {
    /** Longest script that is read, in UTF-16 units; JSqlParser needs about a millisecond for 2 KB. */
    static final int MAX_LENGTH = 64 * 1024;

    private static final Duration DEADLINE = Duration.ofMillis(500);
    private static final int PLACES = 2;
    private static final long STACK_BYTES = 1 << 20;

    /** Loads its classes before a caller waits for them. */
    private static final String FIRST =
            "CREATE TABLE t (id int PRIMARY KEY DEFAULT f(1), b text NOT NULL); SELECT a, 'b' FROM t WHERE c = 1 AND NOT d;"
                    + "INSERT INTO t (a) VALUES ('b') ON CONFLICT DO NOTHING; UPDATE t SET a = 1 WHERE b IN (SELECT 1);";

    private final Semaphore places = new Semaphore(PLACES);

    private JSqlParserCrossCheck() {}

    /** A reader that prepares itself in the background. */
    static JSqlParserCrossCheck prepared() {
        var reader = new JSqlParserCrossCheck();
        reader.begin(FIRST);
        return reader;
    }

    /** Begins to read a script, if it may. */
    Reading begin(String sql) {
        if (sql.isBlank() || sql.length() > MAX_LENGTH || !places.tryAcquire()) {
            return new Reading(null, CompletableFuture.completedFuture(OptionalInt.empty()));
        }
        // A blank after each line break: three breaks, and a line that says GO, end a statement for JSqlParser.
        var parser = new CCJSqlParser(new StringProvider(sql.replace("\n", "\n ")));
        var count = new CompletableFuture<OptionalInt>();
        var thread = new Thread(null, () -> read(parser, count), "second-sql-reader", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        return new Reading(parser, count);
    }

    private void read(CCJSqlParser parser, CompletableFuture<OptionalInt> count) {
        OptionalInt found = OptionalInt.empty();
        try {
            found = count(parser.Statements());
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            // Not its dialect, or too deep for it: the script is skipped.
        } finally {
            places.release();
            count.complete(found);
        }
    }

    /** Nothing when one of them is of a kind that JSqlParser lets run on to the end of the script. */
    private static OptionalInt count(Statements script) {
        List<Statement> statements = script;
        return statements.stream().anyMatch(JSqlParserCrossCheck::isUnended)
                ? OptionalInt.empty()
                : OptionalInt.of(statements.size());
    }

    private static boolean isUnended(Statement statement) {
        return statement instanceof CreateFunction
                || statement instanceof CreateProcedure
                || statement instanceof Block
                || statement instanceof UnsupportedStatement;
    }

    /** A reading under way; closing it gives it up. */
    static final class Reading implements AutoCloseable {
        private final CCJSqlParser parser;
        private final CompletableFuture<OptionalInt> count;
        private final long limit = System.nanoTime() + DEADLINE.toNanos();

        private Reading(CCJSqlParser parser, CompletableFuture<OptionalInt> count) {
            this.parser = parser;
            this.count = count;
        }

        /** The number of statements; empty when the script was not read in time or not at all. */
        OptionalInt count() {
            try {
                return count.get(limit - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException e) {
                return OptionalInt.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return OptionalInt.empty();
            }
        }

        @Override
        public void close() {
            if (parser != null) {
                parser.interrupted = true;
            }
        }
    }
}
