package svc.database.project;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionFunction;
import svc.database.project.companion.CompanionSchema;
import svc.database.project.companion.CompanionTable;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * Steps that remove what exists and is not desired: an extra privilege is drift like a missing one. Concerns only objects of
 * the platform; extra columns, indexes and triggers on a companion stay, because dropping them could lose data.
 */
final class RevokeSteps {
    private static final Pattern GRANTED = Pattern.compile("(.+?) ([A-Z]+)(?: WITH GRANT OPTION)?");
    private static final Pattern MEMBERSHIP =
            Pattern.compile("(.+) inherit=[tf] set=[tf] admin=[tf] by=(.*)", Pattern.DOTALL);
    private static final SqlTemplate REVOKE =
            SqlTemplate.of("REVOKE :{privilege} ON :{object} FROM :{grantee} CASCADE;");
    private static final SqlTemplate REVOKE_MEMBERSHIP =
            SqlTemplate.of("REVOKE :\"granted\" FROM :\"member\":{grantor} CASCADE;");
    private static final SqlTemplate RESET = SqlTemplate.of("ALTER ROLE :\"role\" RESET :\"parameter\";");
    private static final SqlTemplate RESET_HERE = SqlTemplate.of("""
            EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET %I', :'role', current_database(), :'parameter');""");
    private static final SqlTemplate RESTORE_OWNER = SqlTemplate.of("""
            ALTER FUNCTION :{function} OWNER TO :"owner";
            GRANT EXECUTE ON FUNCTION :{function} TO PUBLIC;""");
    private static final SqlTemplate RETIRE = SqlTemplate.of("PERFORM svc_guard.retire_functions(:'schema');");
    private static final SqlTemplate DROP_POLICY = SqlTemplate.of("DROP POLICY IF EXISTS :\"policy\" ON :{table};");

    private final ProjectNames names;
    private final Companion companion;

    RevokeSteps(ProjectTarget target) {
        this.names = target.names();
        this.companion = target.companion();
    }

    /** Empty for a fact that is no drift, or that a desired step overwrites. */
    Optional<SqlStep> removing(Fact surplus, Set<Fact> desired) {
        Optional<SqlFragment> sql = switch (surplus.kind()) {
            case GRANT -> revoke(surplus, object(surplus.subject()), SqlFragment.empty());
            case COLUMN_GRANT -> revokeColumn(surplus);
            case MEMBER -> revokeMembership(surplus);
            case SETTING, DATABASE_SETTING -> reset(surplus, desired);
            case POLICY -> dropPolicy(surplus);
            case FUNCTION -> restoreOwner("function " + surplus.subject());
            case OWNER -> restoreOwner(surplus.subject());
            case OBJECT_LIMITS ->
                desired.stream().anyMatch(surplus::sameSubject)
                        ? Optional.empty()
                        : Optional.of(ObjectLimitSteps.reset(names));
            case RETIRED -> Optional.of(RETIRE.bind(Map.of("schema", Literal.of(names.schemaName()))));
            default -> Optional.empty();
        };
        return sql.map(text ->
                SqlStep.of("remove surplus " + surplus.kind().word() + " on " + surplus.subject(), Set.of(), text));
    }

    private Optional<SqlFragment> revoke(Fact surplus, Optional<SqlFragment> object, SqlFragment columns) {
        Matcher granted = GRANTED.matcher(surplus.value());
        if (!granted.matches()) {
            return Optional.empty();
        }
        String grantee = granted.group(1);
        return object.map(text -> REVOKE.bind(Map.of(
                "privilege",
                privilege(granted.group(2)).append(columns),
                "object",
                text,
                "grantee",
                grantee.equals("PUBLIC") ? SqlFragment.of("PUBLIC") : SqlFragment.of(role(grantee)))));
    }

    private Optional<SqlFragment> revokeColumn(Fact surplus) {
        return companion.tables().stream()
                .filter(table -> surplus.subject().startsWith(table.label() + "."))
                .findFirst()
                .flatMap(table -> {
                    Identifier column = Identifier.of(
                            surplus.subject().substring(table.label().length() + 1));
                    SqlFragment columns = SqlFragment.of(" (").append(column).append(")");
                    return revoke(surplus, Optional.of(table.in(names)), columns);
                });
    }

    /** Privilege names of the server; an unknown one is revoked with ALL. */
    private static SqlFragment privilege(String name) {
        return switch (name) {
            case "SELECT" -> SqlFragment.of("SELECT");
            case "INSERT" -> SqlFragment.of("INSERT");
            case "UPDATE" -> SqlFragment.of("UPDATE");
            case "DELETE" -> SqlFragment.of("DELETE");
            case "TRUNCATE" -> SqlFragment.of("TRUNCATE");
            case "REFERENCES" -> SqlFragment.of("REFERENCES");
            case "TRIGGER" -> SqlFragment.of("TRIGGER");
            case "USAGE" -> SqlFragment.of("USAGE");
            case "CREATE" -> SqlFragment.of("CREATE");
            case "EXECUTE" -> SqlFragment.of("EXECUTE");
            case "MAINTAIN" -> SqlFragment.of("MAINTAIN");
            default -> SqlFragment.of("ALL");
        };
    }

    private Optional<SqlFragment> object(String subject) {
        if (subject.equals("schema project")) {
            return Optional.of(SqlFragment.of("SCHEMA ").append(names.schema()));
        }
        for (CompanionSchema schema : CompanionSchema.values()) {
            if (subject.equals("schema " + schema.label())) {
                return Optional.of(SqlFragment.of("SCHEMA ").append(schema.in(names)));
            }
        }
        for (CompanionFunction function : companion.functions()) {
            if (subject.equals("function " + function.label())) {
                return Optional.of(SqlFragment.of("FUNCTION ").append(function.in(names)));
            }
        }
        for (CompanionTable table : companion.tables()) {
            if (subject.equals("table " + table.label())) {
                return Optional.of(table.in(names));
            }
        }
        return Optional.empty();
    }

    private Optional<SqlFragment> revokeMembership(Fact surplus) {
        Matcher membership = MEMBERSHIP.matcher(surplus.value());
        if (!membership.matches()) {
            return Optional.empty();
        }
        String grantor = membership.group(2);
        return Optional.of(REVOKE_MEMBERSHIP.bind(Map.of(
                "granted", role(membership.group(1)),
                "member", role(surplus.subject()),
                "grantor",
                        grantor.isEmpty()
                                ? SqlFragment.empty()
                                : SqlFragment.of(" GRANTED BY ").append(Identifier.of(grantor)))));
    }

    private Optional<SqlFragment> reset(Fact surplus, Set<Fact> desired) {
        String parameter = surplus.value().substring(0, surplus.value().indexOf('='));
        boolean overwritten = desired.stream()
                .anyMatch(fact -> fact.sameSubject(surplus) && fact.value().startsWith(parameter + "="));
        if (overwritten) {
            return Optional.empty();
        }
        Identifier role = role(surplus.subject());
        return Optional.of(
                surplus.kind() == Fact.Kind.SETTING
                        ? RESET.bind(Map.of("role", role, "parameter", Identifier.of(parameter)))
                        : RESET_HERE.bind(Map.of(
                                "role", Literal.of(role.name()),
                                "parameter", Literal.of(parameter))));
    }

    private Optional<SqlFragment> dropPolicy(Fact surplus) {
        return companion.tables().stream()
                .filter(table -> surplus.subject().startsWith(table.label() + "."))
                .findFirst()
                .map(table -> DROP_POLICY.bind(Map.of(
                        "policy",
                                Identifier.of(surplus.subject()
                                        .substring(table.label().length() + 1)),
                        "table", table.in(names))));
    }

    /** CREATE OR REPLACE keeps the owner of a function, so the owner must be corrected first. */
    private Optional<SqlFragment> restoreOwner(String subject) {
        return companion.functions().stream()
                .filter(function -> subject.equals("function " + function.label()))
                .findFirst()
                .map(function -> RESTORE_OWNER.bind(
                        Map.of("function", function.in(names), "owner", PlatformNames.COMPANION_OWNER)));
    }

    private Identifier role(String label) {
        if (label.equals("companion")) {
            return PlatformNames.COMPANION_OWNER;
        }
        for (DatabaseRole role : DatabaseRole.values()) {
            if (role.suffix().equals(label)) {
                return names.role(role);
            }
        }
        return Identifier.of(label.substring("other:".length()));
    }
}
