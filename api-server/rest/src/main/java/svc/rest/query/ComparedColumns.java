package svc.rest.query;

import java.util.Optional;
import svc.catalog.ParameterTypes;
import svc.catalog.Routine;
import svc.catalog.Table;
import svc.rest.plan.Embedding;
import svc.rest.plan.Plan;
import svc.rest.plan.Plan.CallArguments;
import svc.rest.plan.ReadPlan;
import svc.rest.plan.ReadPlan.Selected;
import svc.rest.plan.Target;
import svc.rest.request.Condition;
import svc.rest.request.Field;

/** The columns that the statement of a plan compares with parameters or assigns them to. Pure. */
final class ComparedColumns {
    private final ParameterTypes types = new ParameterTypes();

    /** The function whose result is read, if that is of no named type. */
    private final Optional<Routine> called;

    private ComparedColumns(Optional<Routine> called) {
        this.called = called;
    }

    static ParameterTypes of(Plan plan) {
        var columns = new ComparedColumns(
                plan instanceof Plan.Call call && call.target().table().oid() == 0
                        ? Optional.of(call.routine())
                        : Optional.empty());
        columns.read(plan.output().read());
        switch (plan) {
            case Plan.Read unused -> {
                // Its conditions are those of the rows.
            }
            case Plan.Insert insert -> insert.groups().forEach(group -> columns.assigned(plan.target(), group.rows()));
            case Plan.Update update -> {
                columns.condition(plan.target(), update.where());
                columns.assigned(plan.target(), update.rows());
            }
            case Plan.Upsert upsert -> {
                columns.condition(plan.target(), upsert.where());
                columns.assigned(plan.target(), upsert.group().rows());
            }
            case Plan.Delete delete -> columns.condition(plan.target(), delete.where());
            case Plan.Call call -> columns.arguments(call);
        }
        return columns.types;
    }

    private void read(ReadPlan plan) {
        condition(plan.target(), plan.rows().where());
        boolean grouped = !plan.rows().having().equals(Condition.ALWAYS);
        if (grouped) {
            aggregated(plan);
        }
        for (Embedding embedding : plan.embeddings()) {
            read(embedding.read());
            if (grouped) {
                aggregated(embedding.read());
            }
        }
    }

    /** A filter on groups compares aggregates, whose types depend on those of the columns. */
    private void aggregated(ReadPlan plan) {
        for (Selected item : plan.select()) {
            if (item instanceof Selected.Own own) {
                own.item().field().ifPresent(field -> column(plan.target(), field));
            }
        }
    }

    private void condition(Target target, Condition condition) {
        switch (condition) {
            case Condition.And all -> all.parts().forEach(part -> condition(target, part));
            case Condition.Or any -> any.parts().forEach(part -> condition(target, part));
            case Condition.Not not -> condition(target, not.part());
            case Condition.Compare compare -> column(target, compare.field());
            case Condition.In in -> column(target, in.field());
            case Condition.FullText search -> column(target, search.field());
            case Condition.Is unused -> {
                // Without a parameter, and perhaps a test for an embedded resource.
            }
        }
    }

    private void column(Target target, Field field) {
        Table table = target.table();
        if (table.oid() != 0 && target.type(field.column()).isPresent()) {
            types.compared(table.id(), field.column());
        } else if (table.oid() != 0) {
            types.comparedUnknown(table.id(), field.column());
        } else if (target.hasColumn(field.column())) {
            called.filter(routine -> !routine.returnsScalar())
                    .ifPresent(routine -> types.compared(routine, field.column()));
        }
    }

    /** Only columns that are named with their types: the others are read as the row type of the table is now. */
    private void assigned(Target target, Plan.Rows rows) {
        rows.only().stream()
                .filter(column -> column.dataType().representations().fromJson().isEmpty())
                .forEach(column -> types.assigned(target.table().id(), column.name(), column.dataType()));
    }

    private void arguments(Plan.Call call) {
        boolean none = switch (call.arguments()) {
            case CallArguments.Fields fields -> fields.parameters().isEmpty();
            case CallArguments.Texts texts -> texts.values().isEmpty();
            case CallArguments.Whole unused -> false;
        };
        if (!none) {
            types.called(call.routine());
        }
    }
}
