package svc.management.function;

import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretStatus;
import svc.management.function.FunctionBodies.NewSecret;
import svc.management.json.Body;
import svc.management.project.ProjectAudit;
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

    /** Per function, and for all functions: all of them must fit into the one Secret of its environment. */
    private static final int MAX_SECRETS = 100;

    private final Functions functions;
    private final SecretResources secrets;
    private final ProjectAudit audit;

    FunctionSecrets(Functions functions, SecretResources secrets, ProjectAudit audit) {
        this.functions = functions;
        this.secrets = secrets;
        this.audit = audit;
    }

    /** The function need not exist yet: its top-level code may need the secret at the first start. */
    FunctionSecret put(Principal by, String ref, String function, String key, String value) {
        Project project = functions.project(by, ref);
        FunctionName.checked(function, "/functionName");
        checkedName(key, "/key");
        checkValue(value, "/value");
        return put(by, project, Optional.of(function), key, value);
    }

    /** A secret of all functions. Nothing is stored unless all are valid. */
    void putShared(Principal by, String ref, List<NewSecret> wanted) {
        Project project = functions.project(by, ref);
        if (wanted.size() > MAX_SECRETS) {
            throw refused("", "A call may set at most " + MAX_SECRETS + " secrets, as many as a project may have.");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < wanted.size(); i++) {
            String place = "/" + i;
            NewSecret secret = Body.required(wanted.get(i), place);
            String name = checkedName(Body.required(secret.name(), place + "/name"), place + "/name");
            checkValue(Body.required(secret.value(), place + "/value"), place + "/value");
            if (!names.add(name)) {
                throw refused(place + "/name", "The name " + name + " comes twice: send one value for each.");
            }
        }
        List<String> stored = new ArrayList<>();
        try {
            for (NewSecret secret : wanted) {
                store(by, project, Optional.empty(), secret.name(), secret.value());
                stored.add(secret.name());
            }
        } finally {
            record(by, project, "set secret", stored);
        }
    }

    /** One record of a call, however many secrets it is about; none when it changed nothing. */
    private void record(Principal by, Project project, String what, List<String> names) {
        if (!names.isEmpty()) {
            audit.done(by, project, what + (names.size() > 1 ? "s " : " ") + String.join(", ", names));
        }
    }

    /**
     * A secret of all functions, as a person enters it.
     *
     * @param replace whether an existing value may be replaced
     */
    FunctionSecret enter(Principal by, Project project, String name, String value, boolean replace) {
        checkedName(name, "/name");
        checkValue(value, "/value");
        if (replace) {
            return store(by, project, Optional.empty(), name, value);
        }
        requireRoom(project, Optional.empty(), name);
        return secrets.create(project, name, value, by.tokenId().toString())
                .orElseThrow(() -> FunctionProblems.secretExists(name));
    }

    /** Whether there is a secret of all functions, with a value. */
    boolean exists(Project project, String name) {
        return secrets.find(project, Optional.empty(), name)
                .filter(secret -> !secrets.isWithoutValue(secret))
                .isPresent();
    }

    private FunctionSecret put(Principal by, Project project, Optional<String> function, String key, String value) {
        FunctionSecret stored = store(by, project, function, key, value);
        audit.done(by, project, "set secret " + named(function, key));
        return stored;
    }

    private static String named(Optional<String> function, String key) {
        return function.map(name -> name + "/" + key).orElse(key);
    }

    private FunctionSecret store(Principal by, Project project, Optional<String> function, String key, String value) {
        requireRoom(project, function, key);
        return secrets.put(project, function, key, value, by.tokenId().toString())
                .orElseThrow(() -> FunctionProblems.contended(function.orElse(key)));
    }

    private void requireRoom(Project project, Optional<String> function, String key) {
        List<FunctionSecret> known = secrets.of(project, function);
        boolean isNew =
                known.stream().noneMatch(secret -> secret.getSpec().key().equals(key));
        if (isNew && known.size() >= MAX_SECRETS) {
            throw Problem.of(
                            ProblemCode.FUNCTION_SECRET_TOO_LARGE,
                            function.map(name -> "The function").orElse("The project") + " has " + known.size()
                                    + " secrets, which is the limit.")
                    .withHint("Delete one, or combine several values into one as JSON.")
                    .asException();
        }
    }

    List<FunctionSecret> list(Principal by, String ref, Optional<String> function) {
        return secrets.ofProject(functions.project(by, ref)).stream()
                .filter(secret -> function.isEmpty()
                        || function.get().equals(secret.getSpec().functionName()))
                .toList();
    }

    /** The secrets of all functions. */
    List<FunctionSecret> listShared(Principal by, String ref) {
        return secrets.of(functions.project(by, ref), Optional.empty());
    }

    /**
     * What is shown of a secret.
     *
     * @param digest SHA-256 of the value, hexadecimal, as Supabase's API has it; the operator's keyed digest where the value is
     *     not this API's. A caller who may read it may deploy a function that reads the value itself
     * @param updatedAt when the value was stored
     */
    record Stored(String name, String digest, Instant updatedAt) {}

    Stored stored(FunctionSecret secret) {
        Optional<SecretResources.Value> value = secrets.storedValue(secret);
        return new Stored(
                secret.getSpec().key(),
                value.map(SecretResources.Value::bytes)
                        .map(FunctionSecrets::sha256)
                        .or(() -> Optional.ofNullable(secret.getStatus()).map(FunctionSecretStatus::digest))
                        .orElse(""),
                value.map(SecretResources.Value::storedAt)
                        .orElseGet(() -> Instant.parse(secret.getMetadata().getCreationTimestamp())));
    }

    private static String sha256(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has SHA-256", e);
        }
    }

    FunctionSecret delete(Principal by, String ref, String function, String key) {
        Project project = functions.project(by, ref);
        FunctionSecret secret =
                secrets.find(project, Optional.of(function), key).orElseThrow(FunctionSecrets::unknown);
        secrets.delete(secret);
        audit.done(by, project, "delete secret " + named(Optional.of(function), key));
        return secret;
    }

    /** Deletes secrets of all functions; names that there are none of are ignored, as by Supabase's API. */
    void deleteShared(Principal by, String ref, Collection<String> names) {
        Set<String> gone = Set.copyOf(names);
        Project project = functions.project(by, ref);
        List<String> deleted = new ArrayList<>();
        try {
            for (FunctionSecret secret : secrets.of(project, Optional.empty())) {
                String name = secret.getSpec().key();
                if (gone.contains(name)) {
                    secrets.delete(secret);
                    deleted.add(name);
                }
            }
        } finally {
            record(by, project, "delete secret", deleted);
        }
    }

    private static ProblemException unknown() {
        return Problem.of(ProblemCode.FUNCTION_SECRET_NOT_FOUND, "The function has no secret with this name.")
                .withHint("List the names with GET /v1/projects/{ref}/functions/secrets.")
                .asException();
    }

    /** @throws ProblemException for a name that no secret may have */
    static String checkedName(String key, String pointer) {
        if (!FORM.matcher(key).matches()) {
            throw refused(
                    pointer, "A secret name has 1 to 128 letters, digits and _, and does not begin with a digit.");
        }
        if (PLATFORMS.matcher(key).matches()) {
            throw refused(
                    pointer, "Names that begin with SVC_, SUPABASE_, DENO_ or LD_ are reserved; choose another name.");
        }
        return key;
    }

    private static ProblemException refused(String pointer, String rule) {
        return Problem.of(ProblemCode.FUNCTION_SECRET_NAME_INVALID, rule)
                .withError(pointer, "is not a valid secret name")
                .asException();
    }

    private static void checkValue(String value, String pointer) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value) || value.indexOf('\0') >= 0) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The value is not valid for an environment variable.")
                    .withError(pointer, "is not valid Unicode, or contains NUL")
                    .asException();
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw Problem.of(
                            ProblemCode.FUNCTION_SECRET_TOO_LARGE,
                            "The value is larger than " + MAX_BYTES + " bytes, the limit of a secret.")
                    .withError(pointer, "is too large")
                    .asException();
        }
    }
}
