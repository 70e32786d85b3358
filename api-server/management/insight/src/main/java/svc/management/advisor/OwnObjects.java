package svc.management.advisor;

import com.google.re2j.Pattern;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Policy;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Routine;
import svc.management.introspection.ProjectFacts.Type;

/** The objects that the project's own migrations made: not those of services and of extensions. Pure. */
final class OwnObjects {
    /** Schemas of services, ours and Supabase's in an adopted database. */
    private static final Pattern OF_SERVICES = Pattern.compile(
            "auth|storage|realtime|_realtime|graphql|graphql_public|vault|extensions|net|cron|pgmq|pgsodium.*|pgbouncer"
                    + "|supabase_.*|_supabase|_analytics|tiger.*|topology|repack");

    private static final Map<String, String> KINDS =
            Map.of("r", "table", "p", "table", "v", "view", "m", "materialized_view", "f", "foreign_table");

    private final ProjectFacts facts;
    private final Map<Long, List<Policy>> policies;

    OwnObjects(ProjectFacts facts) {
        this.facts = facts;
        this.policies = facts.policies().stream().collect(Collectors.groupingBy(Policy::relation));
    }

    /** Of all kinds but composite types; without partitions, which are reached by their table. */
    Stream<Relation> relations() {
        return facts.relations().values().stream()
                .filter(relation -> isOwn(relation) && !relation.kind().equals("c") && !relation.partition())
                .sorted((one, other) -> name(one).compareTo(name(other)));
    }

    Stream<Relation> tables() {
        return relations().filter(Relation::isTable);
    }

    Stream<Routine> routines() {
        return facts.routines().stream()
                .filter(routine -> Set.of("f", "p").contains(routine.kind())
                        && !facts.extensionMembers().contains(routine.oid())
                        && isOwnSchema(
                                facts.namespaces().get(routine.namespace()).name()));
    }

    boolean isOwn(long relation) {
        Relation found = facts.relations().get(relation);
        return found != null && isOwn(found);
    }

    private boolean isOwn(Relation relation) {
        return !facts.extensionMembers().contains(relation.oid()) && isOwnSchema(facts.schemaOf(relation));
    }

    private static boolean isOwnSchema(String schema) {
        return !schema.isEmpty() && !OF_SERVICES.matcher(schema).matches();
    }

    boolean isExposed(Relation relation) {
        return facts.isExposed(relation.namespace());
    }

    boolean isExposedSchema(String name) {
        return facts.exposed().stream()
                .anyMatch(oid -> facts.namespaces().get(oid).name().equals(name));
    }

    /** Whether a caller can read it, signed in or not. */
    boolean isReadable(Relation relation) {
        var namespace = facts.namespaces().get(relation.namespace());
        return relation.anon() && namespace.anon() || relation.authenticated() && namespace.authenticated();
    }

    Collection<Policy> policiesOf(Relation relation) {
        return policies.getOrDefault(relation.oid(), List.of());
    }

    /** Whether it is for the roles of callers, by name or as part of PUBLIC. */
    boolean isForCallers(Policy policy) {
        return policy.roles().stream()
                .anyMatch(role -> role == 0
                        || role == facts.roles().anon()
                        || role == facts.roles().authenticated());
    }

    boolean isTrigger(Routine routine) {
        return Set.of("trigger", "event_trigger").contains(typeName(routine.returns()));
    }

    String typeName(long oid) {
        Type type = facts.types().get(oid);
        return type == null ? "?" : type.name();
    }

    String name(Relation relation) {
        return facts.schemaOf(relation) + "." + relation.name();
    }

    Subject subject(Relation relation) {
        return Subject.of(facts.schemaOf(relation), relation.name(), KINDS.getOrDefault(relation.kind(), "relation"));
    }
}
