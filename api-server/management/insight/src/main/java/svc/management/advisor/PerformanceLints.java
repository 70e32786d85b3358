package svc.management.advisor;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Constraint;
import svc.management.introspection.ProjectFacts.Index;
import svc.management.introspection.ProjectFacts.Policy;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.TableStatistics;

/** The performance advisor over the facts of one project. Pure. */
final class PerformanceLints {
    /** Below this VACUUM has had no reason to run yet. */
    private static final long MIN_DEAD_ROWS = 10_000;

    private static final Pattern OF_THE_CALLER =
            Pattern.compile("\\b(?:(?:auth|svc_auth)\\.(?:uid|jwt|role|email)|current_setting)\\(");
    private static final Map<String, List<String>> ACTIONS = Map.of(
            "r", List.of("SELECT"),
            "a", List.of("INSERT"),
            "w", List.of("UPDATE"),
            "d", List.of("DELETE"),
            "*", List.of("SELECT", "INSERT", "UPDATE", "DELETE"));

    private final ProjectFacts facts;
    private final OwnObjects own;
    private final Map<Long, List<Index>> indexes;

    PerformanceLints(ProjectFacts facts) {
        this.facts = facts;
        this.own = new OwnObjects(facts);
        this.indexes = facts.indexes().stream().collect(Collectors.groupingBy(Index::relation));
    }

    Stream<Lint> all() {
        Stream<Lint> ofTables = own.tables()
                .flatMap(table -> Stream.of(
                                primaryKey(table), duplicates(table), unused(table), policies(table), bloat(table))
                        .flatMap(lints -> lints));
        return Stream.concat(foreignKeys(), ofTables);
    }

    private Stream<Lint> foreignKeys() {
        return facts.constraints().stream()
                .filter(key -> key.kind().equals("f") && key.parent() == 0 && own.isOwn(key.relation()))
                .filter(key -> !isIndexed(key))
                .map(key -> {
                    Relation table = facts.relations().get(key.relation());
                    List<String> columns = facts.columnNames(table.oid(), key.columns());
                    return own.subject(table)
                            .at("fkey_name", key.name())
                            .with("fkey_columns", columns)
                            .lint(
                                    LintRule.UNINDEXED_FOREIGN_KEYS,
                                    "The foreign key " + key.name() + " of " + own.name(table) + " ("
                                            + String.join(", ", columns) + ") has no index.");
                });
    }

    /** An index serves the key whose first columns are the key's, in any order. */
    private boolean isIndexed(Constraint key) {
        Set<Integer> columns = Set.copyOf(key.columns());
        return indexes.getOrDefault(key.relation(), List.of()).stream()
                .anyMatch(index -> !index.partial()
                        && index.columns().size() >= columns.size()
                        && new HashSet<>(index.columns().subList(0, columns.size())).equals(columns));
    }

    private Stream<Lint> primaryKey(Relation table) {
        boolean has = facts.constraints().stream()
                .anyMatch(key -> key.relation() == table.oid() && key.kind().equals("p"));
        return has
                ? Stream.of()
                : Stream.of(own.subject(table)
                        .lint(LintRule.NO_PRIMARY_KEY, "The table " + own.name(table) + " has no primary key."));
    }

    private Stream<Lint> duplicates(Relation table) {
        return indexes.getOrDefault(table.oid(), List.of()).stream()
                .collect(Collectors.groupingBy(Index::definition))
                .values()
                .stream()
                .filter(same -> same.size() > 1)
                .map(same -> {
                    List<String> names = same.stream().map(Index::name).sorted().toList();
                    return own.subject(table)
                            .with("indexes", names)
                            .at("index", names.getFirst())
                            .lint(
                                    LintRule.DUPLICATE_INDEX,
                                    "The table " + own.name(table) + " has identical indexes: "
                                            + String.join(", ", names) + ".");
                });
    }

    /** Keys are used by their constraints even when no query reads them. */
    private Stream<Lint> unused(Relation table) {
        return indexes.getOrDefault(table.oid(), List.of()).stream()
                .filter(index -> !index.unique()
                        && !index.primary()
                        && facts.indexScans().getOrDefault(index.oid(), 1L) == 0)
                .map(index -> own.subject(table)
                        .at("index", index.name())
                        .lint(
                                LintRule.UNUSED_INDEX,
                                "The index " + index.name() + " of " + own.name(table) + " has not been used."));
    }

    private Stream<Lint> bloat(Relation table) {
        TableStatistics statistics = facts.tableStatistics().get(table.oid());
        return statistics == null || statistics.dead() < MIN_DEAD_ROWS || statistics.dead() <= statistics.live()
                ? Stream.of()
                : Stream.of(own.subject(table)
                        .with("live_rows", statistics.live())
                        .with("dead_rows", statistics.dead())
                        .lint(
                                LintRule.TABLE_BLOAT,
                                "The table " + own.name(table) + " has about " + statistics.dead() + " dead rows and "
                                        + statistics.live() + " live ones."));
    }

    private Stream<Lint> policies(Relation table) {
        Collection<Policy> policies = own.policiesOf(table);
        return Stream.concat(
                policies.stream()
                        .filter(policy -> policy.expressions().anyMatch(PerformanceLints::callsForEachRow))
                        .map(policy -> own.subject(table)
                                .at("policy", policy.name())
                                .lint(
                                        LintRule.AUTH_RLS_INITPLAN,
                                        "The policy \"" + policy.name() + "\" of " + own.name(table)
                                                + " evaluates a function for each row.")),
                multiple(table, policies));
    }

    /** Whether it names the caller outside of a subselect without tables, which PostgreSQL evaluates once. */
    static boolean callsForEachRow(String expression) {
        return OF_THE_CALLER.matcher(ScalarSelects.removed(expression)).find();
    }

    private Stream<Lint> multiple(Relation table, Collection<Policy> policies) {
        Map<String, List<String>> byRoleAndAction = new TreeMap<>();
        policies.stream()
                .filter(Policy::permissive)
                .forEach(policy -> roles(policy)
                        .forEach(role -> ACTIONS.getOrDefault(policy.command(), List.of()).stream()
                                .map(action -> role + " " + action)
                                .forEach(key -> byRoleAndAction
                                        .computeIfAbsent(key, unused -> new ArrayList<>())
                                        .add(policy.name()))));
        return byRoleAndAction.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> {
                    String[] key = entry.getKey().split(" ");
                    return own.subject(table)
                            .at("role", key[0])
                            .at("action", key[1])
                            .with("policies", entry.getValue())
                            .lint(
                                    LintRule.MULTIPLE_PERMISSIVE_POLICIES,
                                    "The table " + own.name(table) + " has "
                                            + entry.getValue().size()
                                            + " permissive policies for " + key[0] + " and " + key[1] + ": "
                                            + String.join(", ", entry.getValue()) + ".");
                });
    }

    /** The roles of callers that a policy concerns. */
    private Stream<String> roles(Policy policy) {
        return Stream.of("anon", "authenticated").filter(role -> {
            long oid =
                    role.equals("anon") ? facts.roles().anon() : facts.roles().authenticated();
            return policy.roles().contains(0L) || policy.roles().contains(oid);
        });
    }
}
