package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import svc.sqlgate.block.ReadableBlock;
import svc.sqlgate.lexical.ConsensusParser;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.BodyResult;
import svc.sqlgate.parser.ParseResult;
import svc.sqlgate.parser.RefusedReason;
import svc.sqlgate.parser.Scan;
import svc.sqlgate.parser.ScannedScript;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.parser.SqlReading;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.DeclaredType;
import svc.sqlgate.read.InnerText;
import svc.sqlgate.read.ReadStatement;
import svc.sqlgate.script.EditedScript;

/**
 * The reading of one call's script with all the SQL that is inside of its functions and blocks: as its caller wrote it,
 * to find the names in it, and as it will be sent, to be judged. All bodies of one depth go to the sandbox together, so
 * a migration of many functions costs as many messages as one of a single function; and a body or a text inside of one
 * that was read goes there once, for what the grammar makes of a text depends on nothing but the text.
 */
final class ScriptReading {
    /** No migration creates functions by functions by functions. */
    private static final int MAX_DEPTH = 4;

    private final String script;
    private final SqlReading reading;
    private final ConsensusParser agreed;
    private final Map<String, BodyResult> bodiesRead = new HashMap<>();
    private final Map<String, ParseResult> textsRead = new HashMap<>();
    private Written written;
    private Tokens tokens;
    private List<String> kinds = List.of();
    private Optional<String> fingerprint = Optional.empty();

    ScriptReading(String script, SqlReading reading, ConsensusParser agreed) {
        this.script = script;
        this.reading = reading;
        this.agreed = agreed;
    }

    /**
     * A script as its caller wrote it, read by PostgreSQL's grammar alone: enough to find names, not to admit anything.
     *
     * @param parsed of the script
     */
    record Written(ParseResult.Parsed parsed, List<ReadStatement> statements) {}

    /** The tokens of the script as its caller wrote it. */
    Tokens tokens() {
        if (tokens == null) {
            tokens = Tokens.of(script);
        }
        return tokens;
    }

    /** The audit's summary of the script, as far as it was read. */
    ScriptSummary summary() {
        // Only what has statements has a fingerprint.
        if (!kinds.isEmpty() && fingerprint.isEmpty()) {
            fingerprint = reading.fingerprint(script);
        }
        return new ScriptSummary(kinds, fingerprint);
    }

    /**
     * To be asked for once; the result must not be kept beyond {@link #sent}.
     *
     * @throws UnreadableException when anything in it cannot be read
     */
    Written written() throws UnreadableException {
        Optional<ParseResult.Unparseable> fault = agreed.fault(script);
        if (fault.isPresent()) {
            throw UnreadableException.script(fault.get().message(), fault.get().position());
        }
        ParseResult.Parsed parsed = parsed(reading.parseScript(script));
        kinds = parsed.statements().stream().map(Statement::kind).toList();
        try {
            written = new Written(parsed, read(parsed));
            return written;
        } catch (UnreadableException e) {
            // A body may be unreadable because libpg_query ends it too early: then that is the fault to tell.
            parsed(agreed.parse(script, () -> reading.beginScan(script).get().with(parsed)));
            throw e;
        }
    }

    /**
     * The script as it will be sent, believed only where all readers read it alike.
     *
     * @param mapped of the text that was read before
     * @throws UnreadableException when anything in it cannot be read, or not in one way
     */
    List<ReadStatement> sent(EditedScript mapped) throws UnreadableException {
        String text = mapped.text();
        // PostgreSQL's lexer takes longer than its grammar: it begins first, beside whatever else has to be done.
        Supplier<Scan> scan = reading.beginScan(text);
        if (mapped.edits().isEmpty()) {
            parsed(agreed.parse(text, () -> meanwhileNoted(scan).with(written.parsed())));
            return written.statements();
        }
        List<String> expected = expectedBodies(mapped, written.parsed());
        // The trees of both texts at once would take twice the memory.
        written = null;
        tokens = null;
        reading.forgetScript();
        return read(parsed(agreed.parse(text, () -> {
            ParseResult parse = parse(text, expected);
            return parse instanceof ParseResult.Parsed ? meanwhileNoted(scan).with(parse) : ScannedScript.unread(parse);
        })));
    }

    /** The fingerprint is made while the other process still scans. */
    private Scan meanwhileNoted(Supplier<Scan> scan) {
        summary();
        return scan.get();
    }

    /**
     * Asks for the bodies that are to be expected in the same message. Which those are is a guess: another body is asked
     * for when it is found in the tree.
     */
    private ParseResult parse(String text, List<String> expected) {
        return reading.parse(text, expected, bodies -> keep(bodiesRead, expected, bodies));
    }

    private List<String> expectedBodies(EditedScript mapped, ParseResult.Parsed written) {
        var source = new SourceText(script);
        return written.statements().stream()
                .flatMap(statement -> FunctionBody.ofMapped(statement, tokens(), source, mapped).stream())
                .map(ReadableBlock::sql)
                .distinct()
                .filter(body -> !bodiesRead.containsKey(body))
                .toList();
    }

    private static <T> void keep(Map<String, T> kept, List<String> texts, List<T> results) {
        for (int i = 0; i < texts.size(); i++) {
            kept.put(texts.get(i), results.get(i));
        }
    }

    private static ParseResult.Parsed parsed(ParseResult result) throws UnreadableException {
        return switch (result) {
            case ParseResult.Parsed parsed -> parsed;
            case ParseResult.Unparseable fault -> throw UnreadableException.script(fault.message(), fault.position());
            case ParseResult.Refused refused -> throw UnreadableException.refused(refused.reason(), 0);
        };
    }

    private List<ReadStatement> read(ParseResult.Parsed script) throws UnreadableException {
        List<Node> roots = script.statements().stream()
                .map(statement -> new Node(statement, statement.number()))
                .toList();
        List<Node> level = roots;
        for (int depth = 0; !level.isEmpty(); depth++) {
            if (depth == MAX_DEPTH) {
                throw UnreadableException.refused(RefusedReason.TOO_DEEP, level.getFirst().number);
            }
            level = readBodies(level);
        }
        return roots.stream().map(Node::finished).toList();
    }

    /** Reads what is inside of these statements and returns the statements found there. */
    private List<Node> readBodies(List<Node> nodes) throws UnreadableException {
        List<Text> texts = new ArrayList<>(plpgsqlTexts(nodes));
        for (Node node : nodes) {
            FunctionBody.ofSql(node.statement)
                    .ifPresent(body -> texts.add(new Text(node, InnerText.Origin.SQL_BODY, body)));
            if (node.executed) {
                FunctionBody.constantOf(node.statement)
                        .ifPresent(body -> texts.add(new Text(node, InnerText.Origin.EXECUTED_CONSTANT, body)));
            }
        }
        if (texts.isEmpty()) {
            return List.of();
        }
        parse(texts);
        List<Node> found = new ArrayList<>();
        for (Text text : texts) {
            List<Node> children = new ArrayList<>();
            for (Statement statement : statements(textsRead.get(text.sql()), text.node().number)) {
                var child = new Node(statement, text.node().number);
                child.executed = text.origin() == InnerText.Origin.EXECUTED_EXPRESSION;
                children.add(child);
            }
            text.node().inner.add(new Inner(text, children));
            found.addAll(children);
        }
        return found;
    }

    private void parse(List<Text> texts) {
        List<String> missing = texts.stream()
                .map(Text::sql)
                .distinct()
                .filter(text -> !textsRead.containsKey(text))
                .toList();
        if (!missing.isEmpty()) {
            keep(textsRead, missing, reading.parseAll(missing));
        }
    }

    private List<Text> plpgsqlTexts(List<Node> nodes) throws UnreadableException {
        Map<Node, ReadableBlock> withBody = new LinkedHashMap<>();
        for (Node node : nodes) {
            FunctionBody.ofPlpgsql(node.statement).ifPresent(body -> withBody.put(node, body));
        }
        parseBodies(withBody);
        List<Text> texts = new ArrayList<>();
        for (Map.Entry<Node, ReadableBlock> entry : withBody.entrySet()) {
            texts.addAll(texts(entry.getKey(), entry.getValue()));
        }
        return texts;
    }

    private List<Text> texts(Node node, ReadableBlock asked) throws UnreadableException {
        return switch (bodiesRead.get(asked.sql())) {
            case BodyResult.Unreadable unreadable -> throw UnreadableException.body(unreadable.message(), node.number);
            case BodyResult.Refused refused -> throw UnreadableException.refused(refused.reason(), node.number);
            case BodyResult.Read body -> {
                if (!asked.agrees(body.tree())) {
                    throw UnreadableException.body("its declarations can be read in two ways", node.number);
                }
                node.blocks.add(body.tree());
                node.declared.addAll(asked.types());
                yield embedded(node, body.tree());
            }
        };
    }

    private void parseBodies(Map<Node, ReadableBlock> withBody) {
        List<String> missing = withBody.values().stream()
                .map(ReadableBlock::sql)
                .distinct()
                .filter(body -> !bodiesRead.containsKey(body))
                .toList();
        if (!missing.isEmpty()) {
            keep(bodiesRead, missing, reading.parsePlpgsql(missing));
        }
    }

    private static List<Text> embedded(Node node, JsonNode block) throws UnreadableException {
        try {
            return FunctionBody.embedded(block).stream()
                    .map(embedded -> new Text(node, embedded.origin(), embedded.sql()))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw UnreadableException.body(e.getMessage(), node.number);
        }
    }

    private static List<Statement> statements(ParseResult result, int number) throws UnreadableException {
        return switch (result) {
            case ParseResult.Parsed parsed -> parsed.statements();
            case ParseResult.Unparseable fault -> throw UnreadableException.body(fault.message(), number);
            case ParseResult.Refused refused -> throw UnreadableException.refused(refused.reason(), number);
        };
    }

    private record Text(Node node, InnerText.Origin origin, String sql) {}

    private record Inner(Text text, List<Node> statements) {
        InnerText finished() {
            return new InnerText(
                    text.origin(),
                    text.sql(),
                    statements.stream().map(Node::finished).toList());
        }
    }

    /** A statement while it is being read. */
    private static final class Node {
        private final Statement statement;
        private final int number;
        private final List<JsonNode> blocks = new ArrayList<>();
        private final List<DeclaredType> declared = new ArrayList<>();
        private final List<Inner> inner = new ArrayList<>();
        private boolean executed;

        Node(Statement statement, int number) {
            this.statement = statement;
            this.number = number;
        }

        ReadStatement finished() {
            return new ReadStatement(
                    statement,
                    blocks,
                    declared,
                    inner.stream().map(Inner::finished).toList());
        }
    }
}
