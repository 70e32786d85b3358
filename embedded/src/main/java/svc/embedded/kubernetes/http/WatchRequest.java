package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Predicate;
import svc.embedded.kubernetes.store.Scope;

/**
 * What a watch is asked for.
 *
 * @param after the version to continue from; empty to begin with everything there is
 * @param matches label and field selectors together, on the served form
 * @param bookmarks whether to send bookmarks
 * @param announcesInitialEnd whether a bookmark shall say where the initial events end
 * @param timeoutSeconds after which the server ends the watch
 */
record WatchRequest(
        Scope scope,
        Rendering rendering,
        Optional<Long> after,
        Predicate<JsonNode> matches,
        boolean bookmarks,
        boolean announcesInitialEnd,
        long timeoutSeconds) {}
