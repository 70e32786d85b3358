package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import svc.sqlgate.lexical.QuotedText;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.read.InnerText;
import svc.sqlgate.read.InnerText.Origin;
import svc.sqlgate.read.ReadStatement;
import svc.sqlgate.script.Replacement;

/**
 * The replacements that turn a script with Supabase's names into one with the project's own: in statements, in the bodies of
 * functions and blocks, in constants that are names. {@link ComposedSql} has those in SQL that is put together while it runs.
 */
public final class NameMapping {
    private final SupabaseAliases names;
    private final TreeNames trees;
    private final SearchPathClause searchPath;

    public NameMapping(SupabaseAliases names) {
        this.names = names;
        this.trees = new TreeNames(names);
        this.searchPath = new SearchPathClause(names);
    }

    /**
     * @param text SQL that was read
     * @param statements the same as it was read
     * @return replacements in it, none over another
     */
    public List<Replacement> edits(String text, List<ReadStatement> statements) {
        List<Replacement> edits = new ArrayList<>();
        collect(text, Tokens.of(text), statements, found -> edits.addAll(found.finish()));
        return edits;
    }

    /**
     * What is replaced for a caller.
     *
     * @param edits replacements in the text, none over another
     * @param bound the values beside it that are names
     */
    public record Mapped(List<Replacement> edits, BoundNames bound) {
        public Mapped {
            edits = List.copyOf(edits);
        }
    }

    /** The same where the text's tokens are known, with the values that are bound to it. */
    public Mapped map(String text, Tokens tokens, List<ReadStatement> statements) {
        List<Replacement> edits = new ArrayList<>();
        List<ParameterUses> uses = new ArrayList<>();
        collect(text, tokens, statements, found -> {
            edits.addAll(found.finish());
            uses.add(found.parameters());
        });
        // The server binds values to a single statement only.
        return new Mapped(edits, uses.size() == 1 ? uses.getFirst().finish(names) : BoundNames.NONE);
    }

    private void collect(
            String text, Tokens tokens, List<ReadStatement> statements, Consumer<StatementEdits> collected) {
        var source = new SourceText(text);
        for (ReadStatement read : statements) {
            int start = read.statement().location();
            var found = new StatementEdits(
                    tokens,
                    source,
                    tokens.firstFrom(start),
                    tokens.firstFrom(start + read.statement().length()));
            trees.collect(read.statement().tree(), found);
            if (read.statement().kind().equals("VariableSetStmt")) {
                searchPath.visitStatement(read.statement().tree(), found);
            }
            inner(read, found);
            collected.accept(found);
        }
    }

    private void inner(ReadStatement read, StatementEdits found) {
        JsonNode tree = read.statement().tree();
        for (InnerText text : read.inner()) {
            if (text.origin() == Origin.SQL_BODY) {
                int body = body(tree.path("options"), found);
                if (found.tokens().isString(body)) {
                    found.inString(body, text.sql(), edits(text)).forEach(found::put);
                }
            } else if (text.origin() == Origin.EXECUTED_CONSTANT) {
                JsonNode constant = tree.path("targetList")
                        .path(0)
                        .path("ResTarget")
                        .path("val")
                        .path("A_Const");
                found.constant(Nodes.location(constant), text.sql(), edits(text));
            }
        }
        if (!read.blocks().isEmpty()) {
            block(read, found);
        }
    }

    private void block(ReadStatement read, StatementEdits found) {
        JsonNode tree = read.statement().tree();
        int body = body(tree.has("options") ? tree.get("options") : tree.path("args"), found);
        if (!found.tokens().isString(body)) {
            return;
        }
        String text = QuotedText.of(found.tokens().raw(body)).value();
        var block = new BlockNames(names, Tokens.of(text));
        for (InnerText inner : read.inner()) {
            block.add(inner, names.filteredCatalog() ? ComposedSql.around(inner, edits(inner)) : edits(inner));
        }
        found.inString(body, text, block.finish()).forEach(found::put);
    }

    private List<Replacement> edits(InnerText text) {
        return edits(text.sql(), text.statements());
    }

    /** The index of the token that is a function's or a block's body. */
    private static int body(JsonNode options, StatementEdits found) {
        for (JsonNode option : options) {
            JsonNode element = option.path("DefElem");
            if ("as".equals(element.path("defname").asText())) {
                int index = found.at(Nodes.location(element));
                return found.tokens().isWord(index, "as") ? index + 1 : index;
            }
        }
        return -1;
    }
}
