package svc.sqlgate.parser;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import svc.platform.budget.SharedPlaces.Caller;

/**
 * Reads SQL with PostgreSQL's own grammar, in another process. Fail-closed: what is not plainly read is
 * {@link ParseResult.Unparseable} or {@link ParseResult.Refused}, never an empty script.
 */
@Singleton
public class SqlReader {
    /** On whose behalf texts are read that are the platform's own. */
    private static final Caller PLATFORM = new Caller("", "");

    private final ParserPool pool;

    @Inject
    public SqlReader(ParserPool pool) {
        this.pool = pool;
    }

    /** Begins to read a text of the platform. */
    public SqlReading begin() {
        return begin(PLATFORM);
    }

    /** The statements of a text of the platform. */
    public ParseResult parse(String sql) {
        return parse(PLATFORM, sql);
    }

    /** The tokens of texts of the platform; see {@link #scanAll(Caller, List)}. */
    public List<Optional<TokenBounds>> scanAll(List<String> texts) {
        return scanAll(PLATFORM, texts);
    }

    /**
     * Begins to read one script and what is in it; the caller closes it.
     *
     * @param caller whose turn and whose memory it takes
     */
    public SqlReading begin(Caller caller) {
        return new SqlReading(pool, caller);
    }

    /** The statements of one short text, whose trees are not charged any more when it returns. */
    public ParseResult parse(Caller caller, String sql) {
        try (SqlReading reading = begin(caller)) {
            return reading.parse(sql);
        }
    }

    /** The tokens of several texts by PostgreSQL's lexer alone, in the same order; empty for a text that it refuses. */
    public List<Optional<TokenBounds>> scanAll(Caller caller, List<String> texts) {
        try (SqlReading reading = begin(caller)) {
            return reading.scanAll(texts);
        }
    }
}
