package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.CredentialRefusal;
import svc.platform.dataplane.TokenFault;

/** Every combination of the two credentials, on open and on closed paths, written out. */
class CredentialTableTest {
    private static final Map<String, Credential> CREDENTIALS = new LinkedHashMap<>();

    static {
        CREDENTIALS.put("none", new Credential.None());
        CREDENTIALS.put("anon", new Credential.AnonKey());
        CREDENTIALS.put("service", new Credential.ServiceKey());
        CREDENTIALS.put("wrong", new Credential.WrongKey());
        CREDENTIALS.put("user", token(DatabaseRole.AUTHENTICATED, false));
        CREDENTIALS.put("foreign", token(DatabaseRole.AUTHENTICATED, true));
        CREDENTIALS.put("expired", new Credential.BadToken(TokenFault.EXPIRED));
    }

    private static Credential token(DatabaseRole role, boolean foreign) {
        return new Credential.UserToken(role, Optional.empty(), "{\"sub\":\"1\"}", "a.b.c", foreign);
    }

    private static final String TABLE = """
            none    none    NO_KEY        ANON
            none    anon    ANON          ANON
            none    service SERVICE       SERVICE
            none    wrong   INVALID_KEY   INVALID_KEY
            none    user    AUTHENTICATED AUTHENTICATED
            none    expired INVALID_TOKEN INVALID_TOKEN
            anon    none    ANON          ANON
            anon    anon    ANON          ANON
            anon    service SERVICE       SERVICE
            anon    wrong   INVALID_KEY   INVALID_KEY
            anon    user    AUTHENTICATED AUTHENTICATED
            anon    expired INVALID_TOKEN INVALID_TOKEN
            service none    SERVICE       SERVICE
            service anon    ANON          ANON
            service service SERVICE       SERVICE
            service wrong   INVALID_KEY   INVALID_KEY
            service user    AUTHENTICATED AUTHENTICATED
            service expired INVALID_TOKEN INVALID_TOKEN
            wrong   none    INVALID_KEY   INVALID_KEY
            wrong   anon    INVALID_KEY   INVALID_KEY
            wrong   service INVALID_KEY   INVALID_KEY
            wrong   wrong   INVALID_KEY   INVALID_KEY
            wrong   user    INVALID_KEY   INVALID_KEY
            wrong   expired INVALID_KEY   INVALID_KEY
            none    foreign AUTHENTICATED AUTHENTICATED
            anon    foreign AUTHENTICATED AUTHENTICATED
            service foreign AUTHENTICATED AUTHENTICATED
            wrong   foreign INVALID_KEY   INVALID_KEY
            foreign none    AUTHENTICATED AUTHENTICATED
            foreign anon    ANON          ANON
            foreign service SERVICE       SERVICE
            foreign wrong   INVALID_KEY   INVALID_KEY
            foreign user    AUTHENTICATED AUTHENTICATED
            foreign expired INVALID_TOKEN INVALID_TOKEN
            foreign foreign AUTHENTICATED AUTHENTICATED
            """;

    /** @param closed the outcome on a path that needs a credential, {@code open} on one that does not */
    record Line(String apiKey, String bearer, String closed, String open) {}

    static Stream<Line> lines() {
        return TABLE.lines().map(line -> line.split(" +")).map(cell -> new Line(cell[0], cell[1], cell[2], cell[3]));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void theTable(Line line) {
        Credential apiKey = CREDENTIALS.get(line.apiKey());
        Credential bearer = CREDENTIALS.get(line.bearer());

        assertThat(outcome(CredentialTable.decide(apiKey, bearer, false))).isEqualTo(line.closed());
        assertThat(outcome(CredentialTable.decide(apiKey, bearer, true))).isEqualTo(line.open());
    }

    @Test
    void noCombinationIsMissing() {
        List<String> expected = new ArrayList<>();
        for (String apiKey : List.of("none", "anon", "service", "wrong", "foreign")) {
            CREDENTIALS.keySet().forEach(bearer -> expected.add(apiKey + " " + bearer));
        }

        assertThat(lines().map(line -> line.apiKey() + " " + line.bearer()))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aTokenInTheKeysPlaceIsNoKey() {
        for (String token : List.of("user", "expired")) {
            Decision decision = CredentialTable.decide(CREDENTIALS.get(token), new Credential.ServiceKey(), true);

            assertThat(decision).isEqualTo(new Decision.Refused(new CredentialRefusal.InvalidKey()));
        }
    }

    @Test
    void aServiceTokenOfTheProjectItselfRunsOnTheServiceLogin() {
        Decision decision = CredentialTable.decide(new Credential.AnonKey(), token(DatabaseRole.SERVICE, false), false);

        assertThat(((Decision.Accepted) decision).caller().login()).isEqualTo(DatabaseRole.SERVICE);
    }

    @Test
    void aUserKeepsClaimsAndTokenAndRunsOnTheApiLogin() {
        Decision decision = CredentialTable.decide(new Credential.ServiceKey(), CREDENTIALS.get("user"), false);

        Caller caller = ((Decision.Accepted) decision).caller();
        assertThat(caller.login()).isEqualTo(DatabaseRole.API);
        assertThat(caller.claims()).isEqualTo("{\"sub\":\"1\"}");
        assertThat(caller.token()).hasValue("a.b.c");
    }

    private static String outcome(Decision decision) {
        return switch (decision) {
            case Decision.Accepted accepted -> accepted.caller().role().name();
            case Decision.Refused(CredentialRefusal.NoKey ignored) -> "NO_KEY";
            case Decision.Refused(CredentialRefusal.InvalidKey ignored) -> "INVALID_KEY";
            case Decision.Refused(CredentialRefusal.InvalidToken ignored) -> "INVALID_TOKEN";
        };
    }
}
