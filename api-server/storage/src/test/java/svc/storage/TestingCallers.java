package svc.storage;

import static svc.storage.StorageForTests.SERVICE;

import io.vertx.core.Future;
import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.SessionTokens;
import svc.platform.tenancy.Tenant;

/** Who calls: the bearer {@code service} is the service role, any other a signed-in user of that id, none is anonymous. */
final class TestingCallers {
    private TestingCallers() {}

    static Caller caller(String bearer) {
        return switch (bearer) {
            case "" -> Caller.anon();
            case SERVICE -> Caller.service();
            default ->
                new Caller(
                        DatabaseRole.API,
                        DatabaseRole.AUTHENTICATED,
                        Optional.empty(),
                        "{\"role\":\"authenticated\",\"sub\":\"" + bearer + "\"}",
                        Optional.empty());
        };
    }

    /** Session tokens are the ids of users, as bearers are; the word {@code expired} is none. */
    static final class PlainTokens implements SessionTokens {
        @Override
        public Future<Void> ready(Tenant tenant) {
            return Future.succeededFuture();
        }

        @Override
        public Optional<Caller> caller(Tenant tenant, String token) {
            return token.equals("expired") ? Optional.empty() : Optional.of(TestingCallers.caller(token));
        }
    }
}
