package svc.storage.folder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import svc.storage.http.StorageCall;

/**
 * How far a call came in a folder.
 *
 * @param looked files that the caller sees
 * @param changed those of them that it may change
 * @param cursor the last name, where there may be more
 */
record FolderPage(long looked, long changed, Optional<String> cursor) {
    /** @param most files of a call */
    static FolderPage of(JsonNode row, long changed, int most) {
        long looked = row.path("looked").longValue();
        return new FolderPage(
                looked, changed, Optional.of(row.path("last").asText()).filter(last -> looked >= most));
    }

    /** @param what the name of the member that counts what was changed */
    ObjectNode json(String message, String what) {
        ObjectNode body = StorageCall.newObject()
                .put("message", message)
                .put(what, changed)
                .put("skipped", looked - changed)
                .put("truncated", cursor.isPresent());
        cursor.ifPresent(last -> body.put("cursor", last));
        return body;
    }
}
