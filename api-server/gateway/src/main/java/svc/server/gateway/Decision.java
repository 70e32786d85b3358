package svc.server.gateway;

import svc.platform.dataplane.Caller;
import svc.platform.dataplane.CredentialRefusal;

/** The result of the credential table. */
sealed interface Decision {
    record Accepted(Caller caller) implements Decision {}

    record Refused(CredentialRefusal why) implements Decision {}
}
