package svc.server.gateway;

import svc.platform.dataplane.Caller;

/** What the credential table says. */
sealed interface Decision {
    record Accepted(Caller caller) implements Decision {}

    /** Neither a key nor, where that would do, anything else. */
    record NoKey() implements Decision {}

    record InvalidKey() implements Decision {}

    record InvalidToken(TokenFault fault) implements Decision {}
}
