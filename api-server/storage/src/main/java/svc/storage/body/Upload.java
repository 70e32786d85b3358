package svc.storage.body;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.util.Optional;

/**
 * A file that is being sent.
 *
 * @param content its bytes
 * @param contentType as declared
 * @param cacheControl as it is answered
 * @param userMetadata that the client adds
 */
public record Upload(
        InputStream content,
        Optional<String> contentType,
        Optional<String> cacheControl,
        Optional<ObjectNode> userMetadata) {}
