package svc.sqlgate.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import svc.sqlgate.parser.Statement;

/**
 * A statement with everything in it that is SQL itself.
 *
 * @param blocks PL/pgSQL blocks of its body
 * @param declared the types of the variables that these blocks declare
 * @param inner the texts of its body
 */
public record ReadStatement(
        Statement statement, List<JsonNode> blocks, List<DeclaredType> declared, List<InnerText> inner) {
    public ReadStatement {
        blocks = List.copyOf(blocks);
        declared = List.copyOf(declared);
        inner = List.copyOf(inner);
    }

    /** The statements of all texts inside, one level down. */
    public Stream<ReadStatement> embedded() {
        return inner.stream().flatMap(text -> text.statements().stream());
    }
}
