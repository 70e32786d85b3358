package svc.sqlgate.lexical;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import svc.sqlgate.parser.ParseResult;
import svc.sqlgate.parser.Scan;
import svc.sqlgate.parser.ScannedScript;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.parser.SqlReader;
import svc.sqlgate.parser.SqlReading;
import svc.sqlgate.parser.TokenBounds;

/**
 * Reads a script with PostgreSQL's grammar and believes it only where the other readers find the same: the scanner of
 * this package the same tokens and statements, JSqlParser (where it reads the script) as many statements. Fail-closed: a
 * disagreement is {@link ParseResult.Unparseable}, at the place where it begins.
 */
public final class ConsensusParser {
    private static final String DIFFERENT = "it can be read in two ways from here on";

    private final SqlReader reader;
    private final JSqlParserCrossCheck second = JSqlParserCrossCheck.prepared();

    public ConsensusParser(SqlReader reader) {
        this.reader = reader;
    }

    /** The statements of a script that all readers read alike. */
    public ParseResult parse(String sql) {
        try (SqlReading reading = reader.begin()) {
            Supplier<Scan> scan = reading.beginScan(sql);
            return parse(sql, () -> scan.get().with(reading.parse(sql)));
        }
    }

    /**
     * The same, where the caller asks PostgreSQL's grammar and lexer together with other things.
     *
     * @param theirs reads the same text; not asked when the text cannot be SQL
     */
    public ParseResult parse(String sql, Supplier<ScannedScript> theirs) {
        var source = new SourceText(sql);
        byte[] utf8 = sql.getBytes(StandardCharsets.UTF_8);
        TokenBounds own;
        switch (lexed(sql, utf8, source)) {
            case Lexed.Fault fault -> {
                return fault.fault();
            }
            case Lexed.Tokens tokens -> own = tokens.bounds();
        }
        try (JSqlParserCrossCheck.Reading reading = second.begin(sql)) {
            ScannedScript scanned = theirs.get();
            return scanned.parse() instanceof ParseResult.Parsed parsed
                    ? firstDifference(utf8, source, own, scanned.tokens(), parsed)
                            .<ParseResult>map(offset -> unparseable(DIFFERENT, source, source.unitOfByte(offset)))
                            .orElseGet(() -> counted(parsed, reading))
                    : scanned.parse();
        }
    }

    /** Why a text cannot be SQL, found without another reader; the others may find more. */
    public Optional<ParseResult.Unparseable> fault(String sql) {
        var source = new SourceText(sql);
        return lexed(sql, sql.getBytes(StandardCharsets.UTF_8), source) instanceof Lexed.Fault fault
                ? Optional.of(fault.fault())
                : Optional.empty();
    }

    private sealed interface Lexed {
        record Tokens(TokenBounds bounds) implements Lexed {}

        record Fault(ParseResult.Unparseable fault) implements Lexed {}
    }

    private static Lexed lexed(String sql, byte[] utf8, SourceText source) {
        Optional<ParseResult.Unparseable> noText = notText(sql, source);
        if (noText.isPresent()) {
            return new Lexed.Fault(noText.get());
        }
        try {
            return new Lexed.Tokens(TokenScanner.scan(utf8));
        } catch (LexicalFault e) {
            return new Lexed.Fault(unparseable(e.getMessage(), source, source.unitOfByte(e.offset())));
        }
    }

    /** Without a place: a number of statements that is wrong says nothing of where it went wrong. */
    private static ParseResult counted(ParseResult.Parsed parsed, JSqlParserCrossCheck.Reading reading) {
        int first = parsed.statements().size();
        int other = reading.count().orElse(first);
        return other == first
                ? parsed
                : new ParseResult.Unparseable(
                        "PostgreSQL's parser finds %d statements in it, another parser %d; send them in calls of their own"
                                .formatted(first, other),
                        0);
    }

    private static Optional<Integer> firstDifference(
            byte[] utf8, SourceText source, TokenBounds own, TokenBounds theirs, ParseResult.Parsed parsed) {
        int agreeing = own.agreeing(theirs);
        if (agreeing < own.count() || agreeing < theirs.count()) {
            return Optional.of((agreeing < own.count() ? own : theirs).start(agreeing));
        }
        return StatementBounds.firstMismatch(utf8, source, own, parsed.statements());
    }

    /** NUL ends a text for PostgreSQL, and half of a surrogate pair has no form in UTF-8. */
    private static Optional<ParseResult.Unparseable> notText(String sql, SourceText source) {
        for (int unit = 0; unit < sql.length(); unit++) {
            char c = sql.charAt(unit);
            boolean pair = Character.isHighSurrogate(c)
                    && unit + 1 < sql.length()
                    && Character.isLowSurrogate(sql.charAt(unit + 1));
            if (pair) {
                unit++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                return Optional.of(
                        unparseable("the character U+%04X cannot stand in SQL text".formatted((int) c), source, unit));
            }
        }
        return Optional.empty();
    }

    private static ParseResult.Unparseable unparseable(String message, SourceText source, int unit) {
        return new ParseResult.Unparseable(message, source.placeOfUnit(unit).position());
    }
}
