package svc.management.migration;

import java.util.Optional;
import java.util.UUID;

/**
 * An applied migration with the SQL that undoes it.
 *
 * @param id of its row in the history
 * @param bytes of the SQL in UTF-8; 0 if there is none
 * @param sql empty if there is none, or all of those read are too large in sum
 */
record Rollback(UUID id, String version, Optional<String> name, long bytes, String sql) {
    boolean missing() {
        return bytes == 0 || (!sql.isEmpty() && sql.isBlank());
    }
}
