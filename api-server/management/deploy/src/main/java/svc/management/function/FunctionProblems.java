package svc.management.function;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import svc.functions.artifact.ArtifactsUnavailableException;
import svc.management.function.bundle.BundleFault;
import svc.management.function.bundle.BundleResult;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The problems of functions that cannot be deployed. Pure. */
final class FunctionProblems {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private FunctionProblems() {}

    /** Without a request to replace it, a value stays. */
    static ProblemException secretExists(String name) {
        return Problem.of(ProblemCode.FUNCTION_SECRET_EXISTS, "The project has a secret " + name + " already.")
                .withHint("To replace its value, call the tool with replace: true.")
                .asException();
    }

    /** The first fault decides the code; all are listed. */
    static ProblemException refused(BundleResult.Refused refused) {
        BundleFault first = refused.faults().getFirst();
        Problem problem = Problem.of(code(first.kind()), first.text())
                .with(
                        "faults",
                        refused.faults().stream().map(FunctionProblems::view).toList());
        if (first.file().isPresent()) {
            problem = problem.with("file", first.file().get());
        }
        if (first.line().isPresent()) {
            problem = problem.with("line", first.line().getAsInt());
        }
        if (first.column().isPresent()) {
            problem = problem.with("column", first.column().getAsInt());
        }
        if (first.kind() == BundleFault.Kind.UNREACHABLE) {
            problem = problem.with("retryable", true).retryAfter(RETRY_AFTER);
        }
        return problem.withHint(hint(first.kind())).asException();
    }

    private static Map<String, Object> view(BundleFault fault) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("code", code(fault.kind()).wire());
        view.put("message", fault.message());
        fault.file().ifPresent(file -> view.put("file", file));
        fault.line().ifPresent(line -> view.put("line", line));
        fault.column().ifPresent(column -> view.put("column", column));
        return view;
    }

    private static ProblemCode code(BundleFault.Kind kind) {
        return switch (kind) {
            case SYNTAX -> ProblemCode.FUNCTION_COMPILE_FAILED;
            case IMPORT_FORBIDDEN -> ProblemCode.FUNCTION_IMPORT_FORBIDDEN;
            case IMPORT_FAILED -> ProblemCode.FUNCTION_IMPORT_FAILED;
            case IMPORT_MAP -> ProblemCode.FUNCTION_IMPORT_MAP_INVALID;
            case TOO_LARGE -> ProblemCode.FUNCTION_TOO_LARGE;
            case UNREACHABLE -> ProblemCode.FUNCTION_REGISTRY_UNREACHABLE;
            case TOO_COSTLY -> ProblemCode.FUNCTION_TOO_COSTLY;
            case NO_HANDLER -> ProblemCode.FUNCTION_NO_HANDLER;
            case BOOT_FAILED -> ProblemCode.FUNCTION_BOOT_FAILED;
            case BOOT_TIMEOUT -> ProblemCode.FUNCTION_BOOT_TIMEOUT;
        };
    }

    private static String hint(BundleFault.Kind kind) {
        return switch (kind) {
            case SYNTAX -> "Correct the code and deploy again; nothing was changed.";
            case IMPORT_FORBIDDEN ->
                "Import from a public registry over https, as npm: or jsr:, or send the module in files.";
            case IMPORT_FAILED -> "Correct the import, or send the file in files; nothing was changed.";
            case IMPORT_MAP -> "Correct the import map or deno.json; nothing was changed.";
            case TOO_LARGE, TOO_COSTLY -> "Import less, or split the function.";
            case UNREACHABLE -> "Deploy it again after the seconds in Retry-After; the function itself may be correct.";
            case NO_HANDLER ->
                "Export a default function that takes a Request and returns a Response, or call Deno.serve.";
            case BOOT_FAILED ->
                "The function failed at its top level, before any request. Set the secrets that it reads there first.";
            case BOOT_TIMEOUT -> "Move slow work from the top level into the handler.";
        };
    }

    static ProblemException busy() {
        return Problem.of(ProblemCode.FUNCTION_DEPLOYS_BUSY, "Too many functions are being deployed.")
                .withHint("Deploy it again after the seconds in Retry-After; the function was not checked.")
                .with("retryable", true)
                .retryAfter(RETRY_AFTER)
                .asException();
    }

    static ProblemException unstored(ArtifactsUnavailableException e) {
        Problem problem = Problem.of(ProblemCode.FUNCTION_STORE_UNAVAILABLE, e.getMessage())
                .with("retryable", !e.isLasting());
        return (e.isLasting()
                        ? problem.withHint("The operator of this platform must set svc.api.s3.*.")
                        : problem.withHint("Retry the request.").retryAfter(RETRY_AFTER))
                .asException(e.getCause());
    }

    static ProblemException unknown(String name) {
        String shown = name.length() > 80 ? name.substring(0, 80) + "…" : name;
        return Problem.of(ProblemCode.FUNCTION_NOT_FOUND, "The project has no function " + shown + ".")
                .asException();
    }

    static ProblemException exists(String name) {
        return Problem.of(ProblemCode.FUNCTION_EXISTS, "The function " + name + " already exists in the project.")
                .withHint("Use PATCH, or POST /functions/deploy, which creates or updates.")
                .asException();
    }

    static ProblemException contended(String name) {
        return Problem.of(
                        ProblemCode.FUNCTION_CONFLICT,
                        "The function " + name + " is being changed by other requests at the same time.")
                .withHint("Check its version with GET and retry.")
                .with("retryable", true)
                .asException();
    }

    /** @param versions the available ones */
    static ProblemException noVersion(String name, long version, List<Long> versions) {
        return Problem.of(
                        ProblemCode.FUNCTION_VERSION_NOT_FOUND,
                        "The function " + name + " has no version " + version + ".")
                .withHint(versions.isEmpty() ? "No version was active yet." : "Available versions: " + versions + ".")
                .asException();
    }
}
