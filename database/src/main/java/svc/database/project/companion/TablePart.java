package svc.database.project.companion;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.HashMap;
import java.util.Map;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** What a companion table has besides columns. Texts are in PostgreSQL's own spelling, or drift would never end. */
public sealed interface TablePart {
    Identifier name();

    /**
     * A constraint that is not NOT NULL.
     *
     * @param definition as {@code pg_get_constraintdef} gives it; places {@code auth}, {@code storage}, {@code realtime}
     *     stand for schemas
     */
    record Constraint(Identifier name, SqlTemplate definition) implements TablePart {
        public Constraint {
            requireNonNull(name, "name is null");
            requireNonNull(definition, "definition is null");
        }

        public static Constraint of(
                @CompileTimeConstant final String name, @CompileTimeConstant final String definition) {
            return new Constraint(Identifier.of(name), SqlTemplate.of(definition));
        }

        public SqlFragment in(ProjectNames names) {
            return bindSchemas(definition, names);
        }
    }

    /**
     * An index that no constraint owns.
     *
     * @param definition the part of {@code pg_get_indexdef} after the table's name
     */
    record Index(Identifier name, boolean unique, SqlFragment definition) implements TablePart {
        public Index {
            requireNonNull(name, "name is null");
            requireNonNull(definition, "definition is null");
        }

        public static Index of(@CompileTimeConstant final String name, @CompileTimeConstant final String definition) {
            return new Index(Identifier.of(name), false, SqlFragment.of(definition));
        }

        public static Index unique(
                @CompileTimeConstant final String name, @CompileTimeConstant final String definition) {
            return new Index(Identifier.of(name), true, SqlFragment.of(definition));
        }
    }

    /**
     * A policy of the platform, its name beginning with {@code svc_}; tenants' policies on the same table have other
     * names and are theirs.
     *
     * @param command ALL, SELECT, INSERT, UPDATE or DELETE
     */
    record Policy(Identifier name, SqlFragment command, DatabaseRole role, SqlFragment using, SqlFragment check)
            implements TablePart {
        public Policy {
            if (!name.name().startsWith("svc_")) {
                throw new IllegalArgumentException("a platform policy's name begins with svc_, not " + name);
            }
        }
    }

    /**
     * A trigger of the platform, its name beginning with {@code svc_}; tenants' triggers on the same table have other
     * names.
     *
     * @param event the part of {@code pg_get_triggerdef} between the name and {@code ON}
     * @param action the part after the table's name, with the function's schema
     */
    record Trigger(Identifier name, SqlFragment event, SqlFragment action) implements TablePart {
        public Trigger {
            if (!name.name().startsWith("svc_")) {
                throw new IllegalArgumentException("a platform trigger's name begins with svc_, not " + name);
            }
        }

        static Trigger of(
                @CompileTimeConstant final String name,
                @CompileTimeConstant final String event,
                @CompileTimeConstant final String action) {
            return new Trigger(Identifier.of(name), SqlFragment.of(event), SqlFragment.of(action));
        }
    }

    private static SqlFragment bindSchemas(SqlTemplate template, ProjectNames names) {
        Map<String, Identifier> values = new HashMap<>();
        for (CompanionSchema schema : CompanionSchema.values()) {
            if (template.places().contains(schema.label())) {
                values.put(schema.label(), schema.in(names));
            }
        }
        return template.bind(values);
    }
}
