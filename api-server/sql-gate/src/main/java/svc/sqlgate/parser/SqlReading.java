package svc.sqlgate.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import svc.platform.budget.SharedPlaces.Caller;

/**
 * The reading of one script and of the texts in it by one process, which is kept meanwhile. Used by one thread at a time.
 * After the parser has refused one text, or fallen, it refuses every other.
 */
public final class SqlReading implements AutoCloseable {
    /** Heap for each byte of a script beside its trees: its tokens, and the text in several forms. */
    private static final int BESIDE_TREES = 40;

    private final ParserPool pool;
    private final Caller caller;
    private final ReadingMemory memory;
    private long scriptBytes;
    private ParserLease lease;

    SqlReading(ParserPool pool, Caller caller) {
        this.pool = pool;
        this.caller = caller;
        this.memory = pool.memory(caller);
    }

    /** A text that is refused before it needs a parser waits for none. */
    private ParserPool.Answer ask(List<ParserOperation.Question> questions) {
        if (lease == null) {
            int length = questions.stream()
                    .mapToInt(question -> question.text().length())
                    .sum();
            lease = lease(length);
        }
        return lease.ask(questions, memory);
    }

    /** In this order: a caller that waits for its turn holds no memory that others could use meanwhile. */
    private ParserLease lease(int length) {
        ParserLease lent = pool.lease(caller, length);
        // A longer text is refused by its length.
        if (length <= pool.contentBytes()) {
            try {
                memory.take((long) BESIDE_TREES * length);
            } catch (MemoryRefusedException e) {
                lent.close();
                return ParserLease.refused(pool, e.reason());
            }
        }
        return lent;
    }

    /**
     * Takes memory for work on a text before it is read, until {@link #giveBack} or the end of the reading.
     *
     * @return why there is none
     */
    public Optional<RefusedReason> take(long bytes) {
        try {
            memory.take(bytes);
            return Optional.empty();
        } catch (MemoryRefusedException e) {
            return Optional.of(e.reason());
        }
    }

    /** Gives back a part of what {@link #take} took. */
    public void giveBack(long bytes) {
        memory.giveBack(bytes);
    }

    /** The statements of a script, whose trees can be forgotten before all others. */
    public ParseResult parseScript(String sql) {
        if (lease == null) {
            lease = lease(sql.length());
        }
        long before = memory.taken();
        ParseResult result = parse(sql);
        scriptBytes = memory.taken() - before;
        return result;
    }

    /** Gives back the memory of the trees of {@link #parseScript}, to which no reference may be left. */
    public void forgetScript() {
        memory.giveBack(scriptBytes);
        scriptBytes = 0;
    }

    /** The statements of one text. */
    public ParseResult parse(String sql) {
        return parseAll(List.of(sql)).getFirst();
    }

    /** The statements of several texts, read together; the results are in the same order. */
    public List<ParseResult> parseAll(List<String> texts) {
        return switch (ask(texts.stream().map(ParserOperation.PARSE::of).toList())) {
            case ParserPool.Answer.Refused refused ->
                texts.stream()
                        .<ParseResult>map(text -> new ParseResult.Refused(refused.reason()))
                        .toList();
            case ParserPool.Answer.Elements elements -> {
                List<ParseResult> results = new ArrayList<>();
                for (int i = 0; i < texts.size(); i++) {
                    results.add(ParserAnswers.result(elements.array().get(i), texts.get(i)));
                }
                yield results;
            }
        };
    }

    /**
     * The statements of one script and bodies of its functions and blocks, in one message.
     *
     * @param functions as for {@link #parsePlpgsql}
     * @param bodies is given the bodies in the same order, unless the parser refused or crashed
     */
    public ParseResult parse(String sql, List<String> functions, Consumer<List<BodyResult>> bodies) {
        List<ParserOperation.Question> questions = new ArrayList<>();
        questions.add(ParserOperation.PARSE.of(sql));
        functions.forEach(function -> questions.add(ParserOperation.PLPGSQL.of(function)));
        return switch (ask(questions)) {
            case ParserPool.Answer.Refused refused -> new ParseResult.Refused(refused.reason());
            case ParserPool.Answer.Elements elements -> {
                bodies.accept(ParserAnswers.bodies(elements.array(), 1));
                yield ParserAnswers.result(elements.array().get(0), sql);
            }
        };
    }

    /**
     * The bodies of PL/pgSQL functions, procedures and DO blocks.
     *
     * @param statements each the text of one CREATE FUNCTION, CREATE PROCEDURE or DO statement
     * @return in the same order
     */
    public List<BodyResult> parsePlpgsql(List<String> statements) {
        return switch (ask(statements.stream().map(ParserOperation.PLPGSQL::of).toList())) {
            case ParserPool.Answer.Refused refused ->
                statements.stream()
                        .<BodyResult>map(statement -> new BodyResult.Refused(refused.reason()))
                        .toList();
            case ParserPool.Answer.Elements elements -> ParserAnswers.bodies(elements.array(), 0);
        };
    }

    /**
     * Begins to scan a text, in another process beside this one where one is idle; otherwise it is scanned when the
     * answer is asked for. To be asked for once, by the thread that reads.
     */
    public Supplier<Scan> beginScan(String sql) {
        List<ParserOperation.Question> question = List.of(ParserOperation.SCAN.of(sql));
        Optional<ParserLease> spare = pool.spare(caller, sql.length());
        if (spare.isEmpty()) {
            return () -> scan(ask(question));
        }
        var result = new CompletableFuture<Scan>();
        Thread.ofVirtual().name("scan-sql").start(() -> {
            try (ParserLease other = spare.get()) {
                result.complete(scan(other.ask(question, memory)));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
                throw e;
            }
        });
        return result::join;
    }

    /** The tokens of several texts, in the same order; empty for a text that PostgreSQL's lexer refuses. */
    List<Optional<TokenBounds>> scanAll(List<String> texts) {
        return switch (ask(texts.stream().map(ParserOperation.SCAN::of).toList())) {
            case ParserPool.Answer.Refused refused ->
                texts.stream().map(text -> Optional.<TokenBounds>empty()).toList();
            case ParserPool.Answer.Elements elements -> {
                List<Optional<TokenBounds>> found = new ArrayList<>();
                elements.array().forEach(element -> found.add(ParserAnswers.tokens(element)));
                yield found;
            }
        };
    }

    /**
     * A fingerprint that is the same for scripts which differ in constants, blanks and comments only: 16 hexadecimal digits, made of the
     * trees without their constants.
     *
     * @return empty when the script cannot be read, or no parser is available
     */
    public Optional<String> fingerprint(String sql) {
        return ask(List.of(ParserOperation.FINGERPRINT.of(sql))) instanceof ParserPool.Answer.Elements elements
                ? ParserAnswers.string(elements.array().get(0))
                : Optional.empty();
    }

    private static Scan scan(ParserPool.Answer answer) {
        return switch (answer) {
            case ParserPool.Answer.Refused refused -> new Scan.Unscanned(new ParseResult.Refused(refused.reason()));
            case ParserPool.Answer.Elements elements ->
                ParserAnswers.tokens(elements.array().get(0))
                        .<Scan>map(Scan.Scanned::new)
                        .orElseGet(() -> new Scan.Unscanned(
                                ParserAnswers.unread(elements.array().get(0))));
        };
    }

    @Override
    public void close() {
        if (lease != null) {
            lease.close();
        }
        memory.close();
    }
}
