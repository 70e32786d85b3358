package svc.management.postgres;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import svc.management.token.Principal;

/**
 * An authenticated client.
 *
 * @param organization that the project belongs to
 * @param readOnly whether nothing may be changed
 * @param ends when the credential does; empty for a token, which is read for every statement
 * @param holder reads the token; throws a problem once it is not active any more
 */
record SignedIn(
        String ref, String organization, boolean readOnly, Optional<Instant> ends, Supplier<Principal> holder) {}
