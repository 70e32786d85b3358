package svc.server.gateway;

import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.CredentialRefusal.InvalidKey;
import svc.platform.dataplane.CredentialRefusal.InvalidToken;
import svc.platform.dataplane.CredentialRefusal.NoKey;
import svc.server.gateway.Credential.AnonKey;
import svc.server.gateway.Credential.BadToken;
import svc.server.gateway.Credential.None;
import svc.server.gateway.Credential.ServiceKey;
import svc.server.gateway.Credential.UserToken;
import svc.server.gateway.Credential.WrongKey;
import svc.server.gateway.Decision.Accepted;
import svc.server.gateway.Decision.Refused;

/**
 * The complete mapping of credentials to a role; no other code decides which identity a data-plane request runs under.
 *
 * <p>Keys and users' tokens both admit to the project (SPEC 5): a token is signed for the project that the host names. The
 * bearer, if there is one, decides the role. A signed-out client sends the key in both places; a user's token never gains
 * rights from a stronger key beside it.
 */
final class CredentialTable {
    private CredentialTable() {}

    /**
     * @param apiKey header or query parameter {@code apikey}; a token of the project in this place counts as an invalid
     *     key
     * @param bearer what follows {@code Authorization: Bearer}
     * @param open whether the path works without a credential, as every path of an adopted database does
     */
    static Decision decide(Credential apiKey, Credential bearer, boolean open) {
        if (apiKey instanceof WrongKey
                || apiKey instanceof UserToken(var r, var n, var c, var t, boolean foreign) && !foreign
                || apiKey instanceof BadToken) {
            return new Refused(new InvalidKey());
        }
        return switch (bearer) {
            case WrongKey ignored -> new Refused(new InvalidKey());
            case AnonKey ignored -> new Accepted(Caller.anon());
            case ServiceKey ignored -> new Accepted(Caller.service());
            case UserToken token -> new Accepted(asUser(token));
            case BadToken bad -> new Refused(new InvalidToken(bad.fault()));
            case None ignored -> byKeyAlone(apiKey, open);
        };
    }

    private static Decision byKeyAlone(Credential apiKey, boolean open) {
        return switch (apiKey) {
            case ServiceKey ignored -> new Accepted(Caller.service());
            case AnonKey ignored -> new Accepted(Caller.anon());
            case UserToken token -> new Accepted(asUser(token));
            default -> open ? new Accepted(Caller.anon()) : new Refused(new NoKey());
        };
    }

    private static Caller asUser(UserToken token) {
        DatabaseRole login = token.role() == DatabaseRole.SERVICE ? DatabaseRole.SERVICE : DatabaseRole.API;
        return new Caller(login, token.role(), token.namedRole(), token.claims(), Optional.of(token.text()));
    }
}
