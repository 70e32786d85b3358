package svc.sqlgate.read;

import java.util.List;

/**
 * The type of a variable as a PL/pgSQL block declares it.
 *
 * @param parts of its name, a schema first where one was written; of a column {@code %TYPE} those of its table before it
 * @param ofColumn whether it is the type of a column or of another variable, {@code %TYPE}
 */
public record DeclaredType(List<String> parts, boolean ofColumn) {
    public DeclaredType {
        parts = List.copyOf(parts);
    }
}
