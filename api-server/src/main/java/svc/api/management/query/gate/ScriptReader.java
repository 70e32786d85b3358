package svc.api.management.query.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import svc.api.management.query.gate.lexical.AgreedReader;
import svc.api.management.query.gate.read.InnerText;
import svc.api.management.query.gate.read.ReadStatement;
import svc.api.sandbox.BodyResult;
import svc.api.sandbox.ParseResult;
import svc.api.sandbox.RefusedReason;
import svc.api.sandbox.SqlReader;
import svc.api.sandbox.Statement;

/**
 * Reads a script with all the SQL that is inside of its functions and blocks. All bodies of one depth go to the sandbox
 * together, so a migration of many functions costs as many messages as one of a single function.
 */
final class ScriptReader {
    /** A function that makes a function that makes a function is a puzzle, not a migration. */
    private static final int MAX_DEPTH = 4;

    private final SqlReader reader;
    private final AgreedReader agreed;

    ScriptReader(SqlReader reader) {
        this.reader = reader;
        this.agreed = new AgreedReader(reader);
    }

    /** @throws UnreadableException when anything in it cannot be read */
    List<ReadStatement> read(String sql) throws UnreadableException {
        List<Statement> statements = switch (agreed.parse(sql)) {
            case ParseResult.Parsed parsed -> parsed.statements();
            case ParseResult.Unparseable fault -> throw UnreadableException.script(fault.message(), fault.position());
            case ParseResult.Refused refused -> throw UnreadableException.refused(refused.reason(), 0);
        };
        List<Node> roots = statements.stream()
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
        List<ParseResult> results =
                reader.parseAll(texts.stream().map(Text::sql).toList());
        List<Node> found = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            Text text = texts.get(i);
            List<Node> children = new ArrayList<>();
            for (Statement statement : statements(results.get(i), text.node().number)) {
                var child = new Node(statement, text.node().number);
                child.executed = text.origin() == InnerText.Origin.EXECUTED_EXPRESSION;
                children.add(child);
            }
            text.node().inner.add(new Inner(text, children));
            found.addAll(children);
        }
        return found;
    }

    private List<Text> plpgsqlTexts(List<Node> nodes) throws UnreadableException {
        List<Node> withBody = nodes.stream()
                .filter(node -> FunctionBody.ofPlpgsql(node.statement).isPresent())
                .toList();
        if (withBody.isEmpty()) {
            return List.of();
        }
        int first = withBody.getFirst().number;
        List<BodyResult> bodies = reader.parsePlpgsql(withBody.stream()
                        .map(node -> FunctionBody.ofPlpgsql(node.statement).orElseThrow())
                        .toList())
                .orElseThrow(() -> UnreadableException.refused(RefusedReason.PARSER_FELL, first));
        List<Text> texts = new ArrayList<>();
        for (int i = 0; i < withBody.size(); i++) {
            Node node = withBody.get(i);
            switch (bodies.get(i)) {
                case BodyResult.Unreadable unreadable ->
                    throw UnreadableException.body(unreadable.message(), node.number);
                case BodyResult.Read body -> {
                    node.blocks.add(body.tree());
                    texts.addAll(embedded(node, body.tree()));
                }
            }
        }
        return texts;
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
        private final List<Inner> inner = new ArrayList<>();
        private boolean executed;

        Node(Statement statement, int number) {
            this.statement = statement;
            this.number = number;
        }

        ReadStatement finished() {
            return new ReadStatement(
                    statement, blocks, inner.stream().map(Inner::finished).toList());
        }
    }
}
