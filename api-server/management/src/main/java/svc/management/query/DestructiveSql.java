package svc.management.query;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Recognizes scripts that may remove data or objects, for a user to agree to. Errs on the side of asking. Pure. */
final class DestructiveSql {
    private static final Set<String> ALWAYS = Set.of(
            "DropStmt", "TruncateStmt", "DeleteStmt", "DropRoleStmt", "DropOwnedStmt", "DropdbStmt", "DoStmt", "MergeStmt");
    private static final Pattern DROP = Pattern.compile("\\bdrop\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern WHERE = Pattern.compile("\\bwhere\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern CHANGES = Pattern.compile("\\b(delete\\s+from|update|truncate)\\b", Pattern.CASE_INSENSITIVE);

    private DestructiveSql() {}

    /** @param kinds the grammar's names of its statements */
    static boolean mayDestroy(List<String> kinds, String sql) {
        return kinds.stream().anyMatch(ALWAYS::contains)
                || kinds.contains("AlterTableStmt") && DROP.matcher(sql).find()
                || kinds.contains("UpdateStmt") && !WHERE.matcher(sql).find()
                // A WITH may hold a change.
                || kinds.contains("SelectStmt") && CHANGES.matcher(sql).find();
    }
}
