package svc.storage.resumable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.OptionalLong;
import svc.storage.content.PartNumbers;
import svc.storage.resumable.ResumableUpload.State;
import svc.storage.resumable.ResumableUpload.Tail;

/**
 * What of an upload's row changes as bytes arrive.
 *
 * @param length of the whole; empty while the client has not declared it
 * @param multipart S3's id; empty before the first part
 * @param parts stored ones, and numbers that were taken for others
 */
record Progress(long offset, OptionalLong length, String multipart, PartNumbers parts, List<Tail> tails, State state) {
    /** With the numbers that are skipped, as {@link ResumableUpload} reads them. */
    String tailsAsJson() {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        tails.forEach(tail ->
                all.addObject().put("version", tail.version().toString()).put("size", tail.size()));
        parts.skippedInOrder().forEach(number -> all.addObject().put(ResumableUpload.SKIPPED, number));
        return all.toString();
    }
}
