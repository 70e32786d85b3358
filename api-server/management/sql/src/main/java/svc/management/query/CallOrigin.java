package svc.management.query;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Where a call came from.
 *
 * @param address of the client, if it is known
 * @param gone completes when the client disconnects or gives the call up
 */
public record CallOrigin(String requestId, Optional<String> address, CompletionStage<?> gone) {}
