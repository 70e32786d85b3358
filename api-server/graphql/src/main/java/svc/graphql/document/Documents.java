package svc.graphql.document;

import graphql.language.Document;
import graphql.parser.InvalidSyntaxException;
import graphql.parser.Parser;
import graphql.parser.ParserEnvironment;
import graphql.parser.ParserOptions;
import java.util.Locale;
import java.util.Optional;
import svc.graphql.cache.SharedCache;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;

/** Parses documents and keeps the parsed ones by project: clients send the same few texts with other variables. */
public final class Documents {
    /** Rules within rules; each takes stack. */
    private static final int MAX_RULE_DEPTH = 400;

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

    private record Key(String ref, String text) {}

    private final SharedCache<Key, ParsedDocument> parsed;

    /** @param maxBytes of all parsed documents of all projects */
    public Documents(long maxBytes) {
        this.parsed = new SharedCache<>(
                maxBytes, Key::ref, (key, document) -> (int) Math.min(document.bytes(), Integer.MAX_VALUE));
    }

    /** The document of a text that the project sent before, if it is kept. */
    public Optional<ParsedDocument> getIfPresent(String ref, String text) {
        return parsed.getIfPresent(new Key(ref, text));
    }

    /** @throws GraphqlError for a text that is no document, or a longer one than the limits allow */
    public ParsedDocument parse(String ref, String text) {
        var key = new Key(ref, text);
        return parsed.getIfPresent(key).orElseGet(() -> {
            ParsedDocument document = read(text);
            parsed.put(key, document);
            return document;
        });
    }

    private static ParsedDocument read(String text) {
        NumberLengths.refuseLong(text);
        try {
            Document document = Parser.parse(ParserEnvironment.newParserEnvironment()
                    .document(text)
                    .parserOptions(OPTIONS)
                    .locale(Locale.ROOT)
                    .build());
            return new ParsedDocument(document, text.length());
        } catch (InvalidSyntaxException e) {
            throw new GraphqlError("query parse error: " + e.getMessage());
        }
    }
}
