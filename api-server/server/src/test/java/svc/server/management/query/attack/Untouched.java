package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an attack may not change, as a superuser sees it: everything in the database but the attacker's own schema. Names
 * parts of the database and gives a hash of each, so that a difference says where it lies.
 */
record Untouched(Map<String, String> parts) {
    private static final String QUERY = AttackFile.resource("untouched.sql");

    /**
     * @param attacker the schema that may change
     * @param neighbour the schema that others must not even depend on
     * @param file a path where nothing may be
     */
    static Untouched read(Connection superuser, String attacker, String neighbour, String file) throws SQLException {
        Map<String, String> parts = new TreeMap<>();
        try (Statement statement = superuser.createStatement();
                ResultSet rows = statement.executeQuery(
                        QUERY.replace("$S", attacker).replace("$N", neighbour).replace("$F", file))) {
            while (rows.next()) {
                parts.put(rows.getString(1), String.valueOf(rows.getString(2)));
            }
        }
        return new Untouched(parts);
    }

    void checkAgainst(Untouched before) {
        assertThat(parts)
                .as("everything but the attacker's own schema")
                .containsExactlyEntriesOf(before.parts)
                .as("the query finds what it is to watch")
                .hasSizeGreaterThan(60);
    }
}
