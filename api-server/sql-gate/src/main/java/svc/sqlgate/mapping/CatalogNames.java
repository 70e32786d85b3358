package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import svc.sqlgate.mapping.CatalogScope.InformationRelation;
import svc.sqlgate.mapping.CatalogScope.Opaque;
import svc.sqlgate.mapping.CatalogScope.Query;
import svc.sqlgate.mapping.CatalogScope.ServerRelation;
import svc.sqlgate.mapping.CatalogScope.Source;

/**
 * What an expression's value is the name of: it is a column of the catalog, also through subqueries, UNION and WITH,
 * or a function of the server. Whatever may be a row of the application's is data. PostgreSQL refuses a column that
 * several tables of a query have, so one that a relation of the catalog is known to have is of that relation.
 */
final class CatalogNames {
    /** Of queries inside of queries that a column may come through. */
    private static final int MAX_DEPTH = 16;

    private static final Set<String> CURRENT_ROLE =
            Set.of("SVFOP_CURRENT_USER", "SVFOP_CURRENT_ROLE", "SVFOP_SESSION_USER", "SVFOP_USER");

    /** The columns that are being looked for, by their queries: a recursive query leads back to one of them. */
    private final Map<JsonNode, Set<Column>> open = new IdentityHashMap<>();

    private int depth;

    /**
     * A column of a query.
     *
     * @param name empty where only its place is known
     * @param place from 0; empty where only its name is known
     */
    private record Column(String name, OptionalInt place) {}

    /** One of the queries that a UNION puts together, or the only one. */
    private record Arm(JsonNode select, CatalogScope scope) {}

    private CatalogNames() {}

    /** What an expression's value is the name of; empty for one that is, or may be, data. */
    static Optional<NameKind> of(JsonNode expression, CatalogScope scope) {
        return new CatalogNames().expression(expression, scope).kind();
    }

    /** The same for the only column of a subquery. */
    static Optional<NameKind> ofSubquery(JsonNode subquery, CatalogScope scope) {
        return new CatalogNames().only(subquery, scope).kind();
    }

    private ResolvedName expression(JsonNode expression, CatalogScope scope) {
        JsonNode inner = expression;
        while (inner.has("TypeCast")) {
            JsonNode type = inner.get("TypeCast").path("typeName");
            switch (Nodes.ofServer(type.path("names"))) {
                case "regnamespace":
                    return ResolvedName.name(NameKind.SCHEMA);
                case "regrole":
                    return ResolvedName.name(NameKind.ROLE);
                default:
                    if (!TextTypes.contains(type)) {
                        return ResolvedName.DATA;
                    }
                    inner = inner.get("TypeCast").path("arg");
            }
        }
        if (inner.has("ColumnRef")) {
            return column(Nodes.texts(inner.get("ColumnRef").path("fields")), scope);
        }
        JsonNode subquery = inner.path("SubLink");
        return "EXPR_SUBLINK".equals(subquery.path("subLinkType").asText())
                ? only(subquery.path("subselect"), scope)
                : function(inner);
    }

    private static ResolvedName function(JsonNode expression) {
        String value = expression.path("SQLValueFunction").path("op").asText();
        String called = Nodes.ofServer(expression.path("FuncCall").path("funcname"));
        if (CURRENT_ROLE.contains(value) || called.equals("pg_get_userbyid")) {
            return ResolvedName.name(NameKind.ROLE);
        }
        return value.equals("SVFOP_CURRENT_SCHEMA") || called.equals("current_schema")
                ? ResolvedName.name(NameKind.SCHEMA)
                : ResolvedName.DATA;
    }

    private ResolvedName only(JsonNode subquery, CatalogScope scope) {
        return query(subquery.path("SelectStmt"), scope, new Column("", OptionalInt.of(0)));
    }

    /** @param fields the parts of a column's name; none for a star */
    private ResolvedName column(List<String> fields, CatalogScope scope) {
        int size = fields.size();
        return switch (size) {
            case 0 -> ResolvedName.DATA;
            case 1 -> unqualified(fields.getFirst(), scope);
            case 2 ->
                scope.source(fields.getFirst())
                        .map(source -> ofSource(source, fields.getLast()))
                        .orElse(ResolvedName.DATA);
            default -> ofRelation(fields.get(size - 3), fields.get(size - 2), fields.getLast());
        };
    }

    private static ResolvedName ofRelation(String schema, String relation, String column) {
        if (CatalogColumns.isInformation(schema)) {
            return ofInformation(column);
        }
        return CatalogColumns.isServer(schema) ? ofServer(relation, column) : ResolvedName.DATA;
    }

    private static ResolvedName ofServer(String relation, String column) {
        Optional<NameKind> kind = CatalogColumns.kind(column);
        if (kind.isEmpty()) {
            return ResolvedName.LIKELY_DATA;
        }
        return CatalogColumns.has(relation, column) ? ResolvedName.name(kind.get()) : ResolvedName.ABSENT;
    }

    /** Not each of its relations has each column, so a table of the application's that may have it comes first. */
    private static ResolvedName ofInformation(String column) {
        Optional<NameKind> kind = CatalogColumns.kind(column);
        return kind.map(ResolvedName::likelyName).orElse(ResolvedName.LIKELY_DATA);
    }

    private ResolvedName unqualified(String name, CatalogScope scope) {
        Optional<CatalogScope> at = Optional.of(scope);
        while (at.isPresent()) {
            ResolvedName found = amongTables(at.get(), name);
            if (!found.isAbsent()) {
                return found;
            }
            at = at.get().outer();
        }
        return ResolvedName.DATA;
    }

    private ResolvedName amongTables(CatalogScope scope, String name) {
        ResolvedName found = ResolvedName.ABSENT;
        for (Source source : scope.sources()) {
            if (!scope.lookUp()) {
                return ResolvedName.DATA;
            }
            found = found.or(ofSource(source, name));
        }
        return found;
    }

    private ResolvedName ofSource(Source source, String column) {
        return switch (source) {
            case ServerRelation relation -> ofServer(relation.name(), column);
            case InformationRelation unused -> ofInformation(column);
            case Opaque opaque ->
                opaque.table() || opaque.columns().contains(column) ? ResolvedName.DATA : ResolvedName.LIKELY_DATA;
            case Query query -> {
                int place = query.columns().indexOf(column);
                yield query(
                        query.select(),
                        query.scope(),
                        place < 0 ? new Column(column, OptionalInt.empty()) : new Column("", OptionalInt.of(place)));
            }
        };
    }

    private ResolvedName query(JsonNode select, CatalogScope scope, Column column) {
        if (select.isMissingNode() || depth == MAX_DEPTH || !scope.lookUp()) {
            return ResolvedName.DATA;
        }
        Set<Column> sought = open.computeIfAbsent(select, any -> new HashSet<>());
        if (!sought.add(column)) {
            return ResolvedName.ITSELF;
        }
        depth++;
        ResolvedName found = ofArms(arms(select, scope), column);
        depth--;
        sought.remove(column);
        return found;
    }

    /** The queries of a UNION in their order; none when there are more than the limit of the analysis. */
    private static List<Arm> arms(JsonNode select, CatalogScope around) {
        List<Arm> arms = new ArrayList<>();
        Deque<Arm> unread = new ArrayDeque<>();
        unread.push(new Arm(select, around.inside(select)));
        while (!unread.isEmpty()) {
            Arm arm = unread.pop();
            if (!arm.scope().lookUp()) {
                return List.of();
            }
            if (arm.select().has("larg")) {
                for (String side : List.of("rarg", "larg")) {
                    JsonNode inner = arm.select().path(side);
                    unread.push(new Arm(inner, arm.scope().inside(inner)));
                }
            } else {
                arms.add(arm);
            }
        }
        return arms;
    }

    /** A name only where each of the queries has a name there. The first one gives the columns their names. */
    private ResolvedName ofArms(List<Arm> arms, Column column) {
        if (arms.size() <= 1) {
            return arms.isEmpty() ? ResolvedName.DATA : ofArm(arms.getFirst(), column);
        }
        ResolvedName first = ofArm(arms.getFirst(), column);
        if (first.isAbsent()) {
            return first;
        }
        Column placed = column.place().isPresent() ? column : placed(arms.getFirst(), column.name());
        List<ResolvedName> found = new ArrayList<>(List.of(first));
        arms.subList(1, arms.size()).forEach(arm -> found.add(ofArm(arm, placed)));
        return together(found);
    }

    private static ResolvedName together(List<ResolvedName> found) {
        Set<NameKind> kinds = EnumSet.noneOf(NameKind.class);
        for (ResolvedName meaning : found) {
            if (meaning.kind().isEmpty() && !meaning.isItself()) {
                return ResolvedName.DATA;
            }
            meaning.kind().ifPresent(kinds::add);
        }
        if (kinds.isEmpty()) {
            return ResolvedName.ITSELF;
        }
        return kinds.size() == 1 ? ResolvedName.name(kinds.iterator().next()) : ResolvedName.DATA;
    }

    private ResolvedName ofArm(Arm arm, Column column) {
        if (arm.select().has("valuesLists")) {
            return ResolvedName.DATA;
        }
        if (column.place().isPresent()) {
            Optional<JsonNode> target = target(arm, column.place().getAsInt());
            if (target.isPresent()) {
                return expression(target.get(), arm.scope());
            }
        }
        return column.name().isEmpty() ? ResolvedName.DATA : named(arm, column.name());
    }

    /** A column with its place, which is unknown behind a star: that has any number of columns. */
    private static Column placed(Arm arm, String name) {
        int place = 0;
        for (JsonNode element : arm.select().path("targetList")) {
            if (!arm.scope().lookUp() || Targets.isStar(element)) {
                break;
            }
            if (Targets.name(element).equals(name)) {
                return new Column(name, OptionalInt.of(place));
            }
            place++;
        }
        return new Column(name, OptionalInt.empty());
    }

    private static Optional<JsonNode> target(Arm arm, int place) {
        JsonNode targets = arm.select().path("targetList");
        for (int i = 0; i <= place; i++) {
            if (!arm.scope().lookUp() || i == targets.size() || Targets.isStar(targets.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(Targets.value(targets.get(place)));
    }

    private ResolvedName named(Arm arm, String name) {
        List<JsonNode> stars = new ArrayList<>();
        for (JsonNode element : arm.select().path("targetList")) {
            if (!arm.scope().lookUp()) {
                return ResolvedName.DATA;
            }
            if (Targets.isStar(element)) {
                stars.add(Targets.value(element));
            } else if (Targets.name(element).equals(name)) {
                return expression(Targets.value(element), arm.scope());
            }
        }
        ResolvedName found = ResolvedName.ABSENT;
        for (JsonNode star : stars) {
            found = found.or(star(star, name, arm.scope()));
        }
        return found;
    }

    private ResolvedName star(JsonNode star, String name, CatalogScope scope) {
        JsonNode fields = star.path("ColumnRef").path("fields");
        if (fields.size() == 1) {
            return amongTables(scope, name);
        }
        String table = fields.path(0).path("String").path("sval").asText();
        return fields.size() == 2
                ? scope.source(table).map(source -> ofSource(source, name)).orElse(ResolvedName.DATA)
                : ResolvedName.DATA;
    }
}
