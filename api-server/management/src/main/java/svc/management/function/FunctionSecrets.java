package svc.management.function;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Operations on function secrets on behalf of a principal: values are write-only. */
@ApplicationScoped
class FunctionSecrets {
    private static final Pattern FORM = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern PLATFORMS = Pattern.compile("(SVC|SUPABASE|DENO|LD)_.*");
    /** In UTF-8; Supabase's limit. */
    private static final int MAX_BYTES = 24_576;

    /** Per function: all its secrets must fit into the one Secret of its environment. */
    private static final int MAX_SECRETS = 100;

    private final Functions functions;
    private final SecretResources secrets;

    FunctionSecrets(Functions functions, SecretResources secrets) {
        this.functions = functions;
        this.secrets = secrets;
    }

    /** The function need not exist yet: its top-level code may need the secret at the first start. */
    FunctionSecret put(Principal by, String ref, String function, String key, String value) {
        Project project = functions.project(by, ref);
        FunctionName.checked(function, "/functionName");
        checkKey(key);
        checkValue(value);
        List<FunctionSecret> known = secrets.ofFunction(project, function);
        boolean isNew =
                known.stream().noneMatch(secret -> secret.getSpec().key().equals(key));
        if (isNew && known.size() >= MAX_SECRETS) {
            throw Problem.of(
                            ProblemCode.FUNCTION_SECRET_TOO_LARGE,
                            "The function has " + known.size() + " secrets, which is the limit.")
                    .withHint("Delete one, or combine several values into one as JSON.")
                    .asException();
        }
        return secrets.put(project, function, key, value, by.tokenId().toString())
                .orElseThrow(() -> FunctionProblems.contended(function));
    }

    List<FunctionSecret> list(Principal by, String ref, Optional<String> function) {
        return secrets.ofProject(functions.project(by, ref)).stream()
                .filter(secret -> function.isEmpty()
                        || function.get().equals(secret.getSpec().functionName()))
                .toList();
    }

    FunctionSecret delete(Principal by, String ref, String function, String key) {
        Project project = functions.project(by, ref);
        FunctionSecret secret = secrets.find(project, function, key).orElseThrow(FunctionSecrets::unknown);
        secrets.delete(secret);
        return secret;
    }

    private static ProblemException unknown() {
        return Problem.of(ProblemCode.FUNCTION_SECRET_NOT_FOUND, "The function has no secret with this name.")
                .withHint("List the names with GET /v1/projects/{ref}/functions/secrets.")
                .asException();
    }

    private static void checkKey(String key) {
        if (!FORM.matcher(key).matches()) {
            throw refused("A secret name has 1 to 128 letters, digits and _, and does not begin with a digit.");
        }
        if (PLATFORMS.matcher(key).matches()) {
            throw refused("Names that begin with SVC_, SUPABASE_, DENO_ or LD_ are reserved; choose another name.");
        }
    }

    private static ProblemException refused(String rule) {
        return Problem.of(ProblemCode.FUNCTION_SECRET_NAME_INVALID, rule)
                .withError("/key", "is not a valid secret name")
                .asException();
    }

    private static void checkValue(String value) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value) || value.indexOf('\0') >= 0) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The value is not valid for an environment variable.")
                    .withError("/value", "is not valid Unicode, or contains NUL")
                    .asException();
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw Problem.of(
                            ProblemCode.FUNCTION_SECRET_TOO_LARGE,
                            "The value is larger than " + MAX_BYTES + " bytes, the limit of a secret.")
                    .withError("/value", "is too large")
                    .asException();
        }
    }
}
