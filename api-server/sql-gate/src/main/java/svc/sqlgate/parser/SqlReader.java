package svc.sqlgate.parser;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads SQL with PostgreSQL's own grammar, in another process. Fail-closed: what is not plainly read is
 * {@link ParseResult.Unparseable} or {@link ParseResult.Refused}, never an empty script.
 */
@Singleton
public class SqlReader {
    private final ParserPool pool;

    @Inject
    public SqlReader(ParserPool pool) {
        this.pool = pool;
    }

    /** Begins to read one script and what is in it; the caller closes it. */
    public SqlReading begin() {
        return new SqlReading(pool);
    }

    /** The statements of one script. */
    public ParseResult parse(String sql) {
        try (SqlReading reading = begin()) {
            return reading.parse(sql);
        }
    }

    /** The tokens of several texts by PostgreSQL's lexer alone, in the same order; empty for a text that it refuses. */
    public List<Optional<TokenBounds>> scanAll(List<String> texts) {
        try (ParserLease lease = pool.lease()) {
            if (!(lease.ask(texts.stream().map(ParserOperation.SCAN::of).toList())
                    instanceof ParserPool.Answer.Elements elements)) {
                return texts.stream().map(text -> Optional.<TokenBounds>empty()).toList();
            }
            List<Optional<TokenBounds>> found = new ArrayList<>();
            elements.array().forEach(element -> found.add(ParserAnswers.tokens(element)));
            return found;
        }
    }
}
