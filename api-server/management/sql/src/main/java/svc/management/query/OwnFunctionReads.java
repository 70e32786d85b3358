package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.sqlgate.mapping.OwnFunctions;
import svc.sqlgate.mapping.OwnFunctions.Mentions;

/**
 * Which of the names that a text qualifies with {@code public} are functions of the project's own, and not only of an extension. Few
 * texts mention one: nothing is asked for all others.
 */
@ApplicationScoped
class OwnFunctionReads {
    private static final Duration TIME = Duration.ofSeconds(5);

    private static final SqlTemplate EXISTING = SqlTemplate.of("SELECT DISTINCT p.proname FROM pg_proc p"
            + " JOIN pg_namespace n ON n.oid = p.pronamespace"
            + " WHERE n.nspname = :'schema' AND p.proname IN (:{names})");

    private final OwnerReads reads;

    OwnFunctionReads(OwnerReads reads) {
        this.reads = reads;
    }

    /** @throws svc.platform.problem.ProblemException if they have to be asked for and the database does not answer */
    OwnFunctions of(Tenant tenant, String sql) {
        Mentions mentions = Mentions.of(sql);
        if (mentions.called().isEmpty()) {
            return OwnFunctions.NONE;
        }
        Set<String> unknown = mentions.called().stream()
                .filter(name -> !mentions.made().contains(name))
                .collect(Collectors.toSet());
        return new OwnFunctions(unknown.isEmpty() ? Set.of() : existing(tenant, unknown)).and(mentions.made());
    }

    private Set<String> existing(Tenant tenant, Set<String> names) {
        List<SqlFragment> list = names.stream()
                .sorted()
                .map(name -> SqlFragment.of(Literal.of(name)))
                .toList();
        Identifier schema = tenant.names().schema();
        SqlFragment sql =
                EXISTING.bind(Map.of("schema", Literal.of(schema.name()), "names", SqlFragment.join(", ", list)));
        return reads.read(tenant, sql, TIME).rows().stream().map(List::getFirst).collect(Collectors.toSet());
    }
}
