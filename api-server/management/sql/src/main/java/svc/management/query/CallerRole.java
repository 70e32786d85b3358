package svc.management.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.database.sql.Identifier;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.ImpersonatedCaller;

/**
 * The kind of caller whose role a script takes, from {@code ?as=}, and the claims of that caller's token. Pure.
 *
 * @param name as it was written
 * @param claims with the claim {@code role}, as JSON text
 */
record CallerRole(String name, DatabaseRole role, String claims) {
    private static final Map<String, DatabaseRole> ROLES =
            Map.of("anon", DatabaseRole.ANON, "authenticated", DatabaseRole.AUTHENTICATED);

    /** As long as the header of a request that could carry them. */
    private static final int MAX_CLAIMS = 32 << 10;

    private static final String CLAIMS = "/claims";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Empty for a script that runs as the owner.
     *
     * @throws ProblemException 400
     */
    static Optional<CallerRole> of(List<String> as, Optional<JsonParameter> claims) {
        if (as.isEmpty()) {
            if (claims.isPresent()) {
                throw invalid(CLAIMS, "need the query parameter as", "Add ?as=anon or ?as=authenticated.");
            }
            return Optional.empty();
        }
        DatabaseRole role = ROLES.get(as.getFirst());
        if (role == null || as.size() > 1) {
            throw Problem.of(ProblemCode.INVALID_PARAMETER, "The query parameter as may only be anon or authenticated.")
                    .withHint("Omit it to run the script as the project's owner.")
                    .asException();
        }
        return Optional.of(new CallerRole(as.getFirst(), role, claims(as.getFirst(), claims)));
    }

    /** The caller in one project's database. */
    ImpersonatedCaller in(Tenant tenant) {
        Identifier schema = Identifier.of(tenant.exposedSchemas().getFirst());
        return new ImpersonatedCaller(tenant.roleName(role), claims, tenant.requestSearchPath(schema));
    }

    /** The text is kept as it was written, because reading its numbers would change them. */
    private static String claims(String as, Optional<JsonParameter> given) {
        String role = "{\"role\":\"" + as + "\"";
        if (given.isEmpty()) {
            return role + "}";
        }
        if (!(given.get() instanceof JsonParameter.Document document)) {
            throw invalid(CLAIMS, "must be an object", "Send the claims of a token, such as {\"sub\": \"…\"}.");
        }
        String text = document.json();
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_CLAIMS) {
            throw invalid(CLAIMS, "must have at most " + MAX_CLAIMS + " bytes", "A token of that size fits no header.");
        }
        JsonNode claims = read(text);
        if (!claims.has("role")) {
            return claims.isEmpty() ? role + "}" : role + "," + text.substring(1);
        }
        if (!as.equals(claims.get("role").textValue())) {
            throw invalid(CLAIMS + "/role", "must be " + as, "Omit it: the query parameter as says it.");
        }
        return text;
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading JSON that was read before", e);
        }
    }

    private static ProblemException invalid(String pointer, String what, String hint) {
        return Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " is invalid: it " + what + ".")
                .withError(pointer, what)
                .withHint(hint)
                .asException();
    }

    /** Without the claims, which may name a person. */
    @Override
    public String toString() {
        return name;
    }
}
