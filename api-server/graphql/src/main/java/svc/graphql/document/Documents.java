package svc.graphql.document;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import graphql.language.Document;
import graphql.parser.InvalidSyntaxException;
import graphql.parser.Parser;
import graphql.parser.ParserEnvironment;
import graphql.parser.ParserOptions;
import java.util.Locale;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;

/**
 * Parses documents and keeps the parsed ones: clients send the same few texts with other variables. A document has no
 * values of a project but literals of its own text, which is the key.
 */
public final class Documents {
    /** Rules within rules; each takes stack. */
    private static final int MAX_RULE_DEPTH = 400;

    /** A parsed document takes about this many bytes for each character. */
    private static final int BYTES_PER_CHARACTER = 40;

    private static final int OVERHEAD = 1_000;

    private static final ParserOptions OPTIONS = ParserOptions.newParserOptions()
            .captureIgnoredChars(false)
            .captureLineComments(false)
            .captureSourceLocation(false)
            .maxTokens(GraphqlLimits.MAX_TOKENS)
            .maxWhitespaceTokens(GraphqlLimits.MAX_CHARACTERS)
            .maxCharacters(GraphqlLimits.MAX_CHARACTERS)
            .maxRuleDepth(MAX_RULE_DEPTH)
            .redactTokenParserErrorMessages(false)
            .build();

    private final Cache<String, Document> parsed;

    /** @param maxBytes of all parsed documents together */
    public Documents(long maxBytes) {
        this.parsed = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((String text, Document document) -> OVERHEAD + text.length() * BYTES_PER_CHARACTER)
                .executor(Runnable::run)
                .build();
    }

    /** @throws GraphqlError for a text that is no document, or a longer one than the limits allow */
    public Document parse(String text) {
        Document known = parsed.getIfPresent(text);
        if (known != null) {
            return known;
        }
        Document document = read(text);
        parsed.put(text, document);
        return document;
    }

    private static Document read(String text) {
        try {
            return Parser.parse(ParserEnvironment.newParserEnvironment()
                    .document(text)
                    .parserOptions(OPTIONS)
                    .locale(Locale.ROOT)
                    .build());
        } catch (InvalidSyntaxException e) {
            throw new GraphqlError("query parse error: " + e.getMessage());
        }
    }
}
