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

/** What a principal can do with secrets of functions: write values, and never read one. */
@ApplicationScoped
class FunctionSecrets {
    private static final Pattern FORM = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern PLATFORMS = Pattern.compile("(SVC|SUPABASE|DENO|LD)_.*");
    /** In UTF-8; what Supabase allows. */
    private static final int MAX_BYTES = 24_576;

    /** Of one function: they are one environment, which one Secret has to hold. */
    private static final int MAX_SECRETS = 100;

    private final Functions functions;
    private final SecretResources secrets;

    FunctionSecrets(Functions functions, SecretResources secrets) {
        this.functions = functions;
        this.secrets = secrets;
    }

    /** The function need not exist yet: what it reads at its top level has to be there before it. */
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
                            "The function has " + known.size() + " secrets, as many as are allowed.")
                    .withHint("Delete one, or put several values into one as JSON.")
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
        return Problem.of(ProblemCode.FUNCTION_SECRET_NOT_FOUND, "The function has no secret of this name.")
                .withHint("GET the functions' secrets to see their names.")
                .asException();
    }

    private static void checkKey(String key) {
        if (!FORM.matcher(key).matches()) {
            throw refused("A secret's name has 1 to 128 letters, digits and _, and does not begin with a digit.");
        }
        if (PLATFORMS.matcher(key).matches()) {
            throw refused(
                    "Names that begin with SVC_, SUPABASE_, DENO_ or LD_ belong to the platform; choose another.");
        }
    }

    private static ProblemException refused(String rule) {
        return Problem.of(ProblemCode.FUNCTION_SECRET_NAME_INVALID, rule)
                .withError("/key", "cannot be a secret's name")
                .asException();
    }

    private static void checkValue(String value) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value) || value.indexOf('\0') >= 0) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The value is not text that an environment can hold.")
                    .withError("/value", "is not valid Unicode, or has a NUL")
                    .asException();
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw Problem.of(
                            ProblemCode.FUNCTION_SECRET_TOO_LARGE,
                            "The value is larger than " + MAX_BYTES + " bytes, the most that a secret holds.")
                    .withError("/value", "is too large")
                    .asException();
        }
    }
}
