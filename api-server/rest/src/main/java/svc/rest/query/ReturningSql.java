package svc.rest.query;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import svc.catalog.Relationship;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.rest.plan.Embedding;
import svc.rest.plan.Plan.Output;
import svc.rest.plan.ReadPlan;
import svc.rest.plan.ReadPlan.Selected;
import svc.rest.plan.Target;
import svc.rest.plan.Target.Source;
import svc.rest.request.Field;
import svc.rest.request.OrderTerm;

/**
 * The RETURNING clause of a write: only the columns that the response needs, because each requires the SELECT privilege.
 */
final class ReturningSql {
    private final QueryWriter out;
    private final Output output;
    private final Target target;
    private final FieldSql fields;
    private final Set<Identifier> columns = new LinkedHashSet<>();

    ReturningSql(QueryWriter out, Output output) {
        this.out = out;
        this.output = output;
        this.target = output.read().target();
        this.fields = new FieldSql(out, target);
    }

    void write() {
        columns.addAll(output.keyOf());
        if (output.body()) {
            read(output.read());
        } else {
            output.read().embeddings().stream().filter(Embedding::inner).forEach(this::embedding);
        }
        boolean all = output.body() && output.read().select().contains(new Selected.All());
        boolean row = output.read().embeddings().stream()
                .anyMatch(one -> one.relationship() instanceof Relationship.Computed);
        // The asterisk does not contain computed columns.
        columns.removeIf(column -> all && target.table().column(column.name()).isPresent());
        out.sql(" RETURNING ");
        if (all) {
            out.value(target.alias()).sql(".*");
        }
        boolean first = !all;
        for (Identifier column : columns) {
            out.sql(first ? "" : ",").value(target.alias().dot(column));
            first = false;
        }
        if (row) {
            out.sql(first ? "(" : ",(")
                    .value(target.alias())
                    .sql(".*)::")
                    .value(target.table().id().sql())
                    .sql(" AS ")
                    .value(Source.Rows.ROW);
        } else if (first) {
            out.sql("1");
        }
    }

    private void read(ReadPlan read) {
        for (Selected item : read.select()) {
            if (item instanceof Selected.Own own) {
                own.item().field().ifPresent(this::field);
            }
        }
        read.rows().distinct().ifPresent(distinct -> distinct.by().forEach(this::field));
        for (OrderTerm term : read.rows().order()) {
            Optional<Field> own = term.relation().isPresent()
                            || read.aggregate(term.field().column()).isPresent()
                    ? Optional.empty()
                    : Optional.of(term.field());
            own.ifPresent(this::field);
        }
        read.embeddings().forEach(this::embedding);
    }

    private void embedding(Embedding embedding) {
        columns.addAll(EmbeddingSql.joinColumns(embedding.relationship()));
    }

    private void field(Field field) {
        columns.add(fields.column(field.column()));
    }
}
