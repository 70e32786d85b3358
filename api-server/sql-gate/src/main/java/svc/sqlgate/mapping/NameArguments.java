package svc.sqlgate.mapping;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which arguments of one of the server's functions are names.
 *
 * @param roleFrom the number of arguments from which on the first one is a role; 0 when none ever is
 * @param namesFrom the number of arguments from which on there are names among them; with fewer, the first is a text
 * @param kinds of the arguments, the role left out; those behind them are no names
 */
record NameArguments(int roleFrom, int namesFrom, List<NameKind> kinds) {
    private static final Map<String, NameArguments> FUNCTIONS = new HashMap<>();

    static {
        for (String name : List.of(
                "nextval",
                "setval",
                "currval",
                "to_regclass",
                "pg_get_serial_sequence",
                "pg_get_viewdef",
                "pg_relation_size",
                "pg_total_relation_size",
                "pg_table_size",
                "pg_indexes_size",
                "pg_relation_is_updatable",
                "pg_column_is_updatable",
                "pg_sequence_last_value",
                "row_security_active")) {
            FUNCTIONS.put(name, new NameArguments(0, 0, List.of(NameKind.RELATION)));
        }
        for (String name : List.of("to_regtype", "to_regproc", "to_regprocedure", "to_regoper", "to_regoperator")) {
            FUNCTIONS.put(name, new NameArguments(0, 0, List.of(NameKind.QUALIFIED)));
        }
        for (String name : List.of(
                "to_tsvector",
                "to_tsquery",
                "plainto_tsquery",
                "phraseto_tsquery",
                "websearch_to_tsquery",
                "ts_lexize")) {
            FUNCTIONS.put(name, new NameArguments(0, 2, List.of(NameKind.QUALIFIED)));
        }
        FUNCTIONS.put("ts_headline", new NameArguments(0, 4, List.of(NameKind.QUALIFIED)));
        for (String name : List.of("has_table_privilege", "has_any_column_privilege", "has_sequence_privilege")) {
            FUNCTIONS.put(name, new NameArguments(3, 0, List.of(NameKind.RELATION)));
        }
        FUNCTIONS.put("to_regnamespace", new NameArguments(0, 0, List.of(NameKind.SCHEMA_IDENTIFIER)));
        FUNCTIONS.put("to_regrole", new NameArguments(0, 0, List.of(NameKind.ROLE_IDENTIFIER)));
        FUNCTIONS.put("has_column_privilege", new NameArguments(4, 0, List.of(NameKind.RELATION)));
        FUNCTIONS.put("has_function_privilege", new NameArguments(3, 0, List.of(NameKind.QUALIFIED)));
        FUNCTIONS.put("has_type_privilege", new NameArguments(3, 0, List.of(NameKind.QUALIFIED)));
        FUNCTIONS.put("has_schema_privilege", new NameArguments(3, 0, List.of(NameKind.SCHEMA)));
        FUNCTIONS.put("has_database_privilege", new NameArguments(3, 0, List.of()));
        FUNCTIONS.put("has_language_privilege", new NameArguments(3, 0, List.of()));
        FUNCTIONS.put("pg_has_role", new NameArguments(3, 0, List.of(NameKind.ROLE)));
    }

    /** The names that a function takes; null when it takes none. */
    static NameArguments of(String function) {
        return FUNCTIONS.get(function);
    }

    /** What an argument is. */
    Optional<NameKind> kind(int index, int count) {
        if (count < namesFrom) {
            return Optional.empty();
        }
        boolean withRole = roleFrom > 0 && count >= roleFrom;
        if (withRole && index == 0) {
            return Optional.of(NameKind.ROLE);
        }
        int position = withRole ? index - 1 : index;
        return position < kinds.size() ? Optional.of(kinds.get(position)) : Optional.empty();
    }
}
