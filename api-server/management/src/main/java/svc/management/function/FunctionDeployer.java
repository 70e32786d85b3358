package svc.management.function;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionTypes;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionStatus;
import svc.crds.function.FunctionVersion;
import svc.crds.project.service.FunctionsSpec;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ArtifactsUnavailableException;
import svc.functions.artifact.ContentHash;
import svc.management.function.bundle.BundleResult;
import svc.management.function.bundle.FunctionBundler;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Brings code of a function into force: bundle, start once, keep, write the resource, wait. Until the resource is written
 * nothing has changed; whatever serves, serves on. Changes of one function follow each other in the order of the calls.
 */
@ApplicationScoped
class FunctionDeployer {
    private final Functions functions;
    private final FunctionResources resources;
    private final PreviewEnvironment environment;
    private final FunctionBundler bundler;
    private final ArtifactStore artifacts;
    private final FunctionWatch watch;
    private final FunctionLocks turns = new FunctionLocks();
    private final Duration readyWait;

    FunctionDeployer(
            Functions functions,
            FunctionResources resources,
            PreviewEnvironment environment,
            FunctionBundler bundler,
            ArtifactStore artifacts,
            FunctionWatch watch,
            DeployConfig config) {
        this.functions = functions;
        this.resources = resources;
        this.environment = environment;
        this.bundler = bundler;
        this.artifacts = artifacts;
        this.watch = watch;
        this.readyWait = config.readyWait();
    }

    /** What a deploy is to do beside its code. */
    record DeployOptions(Optional<Boolean> verifyJwt, Optional<Long> expectedVersion, Target target) {}

    /** Which functions a deploy may be of. */
    enum Target {
        NEW,
        EXISTING,
        EITHER
    }

    /**
     * @return the function, serving the code or, when that took longer than the configured wait, as it was then
     * @throws ProblemException why it does not serve the code
     */
    EdgeFunction deploy(Principal by, String ref, FunctionSource source, DeployOptions wishes) {
        ClaimedProject live = functions.live(by, ref);
        return inTurn(live, source.name(), () -> {
            admit(live, source.name(), wishes);
            String code = bundled(live, source);
            ContentHash hash = kept(
                    () -> artifacts.put(live.projectId(), source.archive(code).bytes()));
            return written(by, live, source, hash, wishes);
        });
    }

    private String bundled(ClaimedProject live, FunctionSource source) {
        return switch (bundler.bundle(source.request(), environment.of(live, source.name()))) {
            case BundleResult.Bundled bundled -> bundled.code();
            case BundleResult.Refused refused -> throw FunctionProblems.refused(refused);
            case BundleResult.Busy unused -> throw FunctionProblems.busy();
        };
    }

    private EdgeFunction written(
            Principal by, ClaimedProject live, FunctionSource source, ContentHash hash, DeployOptions wishes) {
        String name = source.name();
        Optional<EdgeFunction> existing = admit(live, name, wishes);
        EdgeFunction stored = existing.map(function -> resources.change(
                        function,
                        spec -> FunctionResources.withCode(
                                spec, hash.toString(), wishes.verifyJwt().orElse(spec.verifyJwt()))))
                .orElseGet(() -> resources.create(
                        live.resource(),
                        name,
                        hash.toString(),
                        wishes.verifyJwt().orElse(true),
                        by.tokenId().toString()))
                .orElseThrow(() -> FunctionProblems.contended(name));
        // Another instance may have cleaned up while the same code was on its way back.
        if (!kept(() -> artifacts.contains(live.projectId(), hash))) {
            throw FunctionProblems.contended(name);
        }
        return settled(stored, hash.toString());
    }

    /** Makes a version that served before serve again. */
    EdgeFunction rollBack(Principal by, String ref, String name, long version) {
        ClaimedProject live = functions.live(by, ref);
        return inTurn(live, name, () -> {
            EdgeFunction function = functions.get(by, ref, name);
            String hash = hashOf(function, version);
            boolean there = ContentHash.parse(hash)
                    .map(content -> kept(() -> artifacts.contains(live.projectId(), content)))
                    .orElse(false);
            if (!there) {
                throw FunctionProblems.noVersion(name, version, versions(function));
            }
            return settled(
                    resources
                            .change(function, spec -> FunctionResources.withCode(spec, hash, spec.verifyJwt()))
                            .orElseThrow(() -> FunctionProblems.contended(name)),
                    hash);
        });
    }

    private static String hashOf(EdgeFunction function, long version) {
        return history(function).stream()
                .filter(known -> known.version() == version)
                .map(FunctionVersion::contentHash)
                .findFirst()
                .orElseThrow(() -> FunctionProblems.noVersion(function.getSpec().name(), version, versions(function)));
    }

    private static List<Long> versions(EdgeFunction function) {
        return history(function).stream().map(FunctionVersion::version).toList();
    }

    private static List<FunctionVersion> history(EdgeFunction function) {
        return function.getStatus() == null ? List.of() : function.getStatus().history();
    }

    /** Changes whether calls need a token, and nothing else. */
    EdgeFunction changeVerifyJwt(Principal by, String ref, String name, boolean verifyJwt) {
        ClaimedProject live = functions.live(by, ref);
        return inTurn(live, name, () -> {
            EdgeFunction changed = resources
                    .change(functions.get(by, ref, name), spec -> FunctionResources.withVerifyJwt(spec, verifyJwt))
                    .orElseThrow(() -> FunctionProblems.contended(name));
            return awaited(changed, seen -> seen.isReady() || seen.isFailed());
        });
    }

    /** Before the bundling, so that it is not done in vain, and after it, because it takes a while. */
    private Optional<EdgeFunction> admit(ClaimedProject live, String name, DeployOptions wishes) {
        FunctionsSpec rules = live.resource().getSpec().functions();
        if (!rules.enabled()) {
            throw Problem.of(ProblemCode.FUNCTIONS_DISABLED, "The functions of this project are switched off.")
                    .withHint("spec.functions.enabled of the Project switches them on.")
                    .asException();
        }
        List<EdgeFunction> all = resources.ofProject(live.resource());
        Optional<EdgeFunction> existing = FunctionResources.named(all, name);
        if (existing.isEmpty() && wishes.target() == Target.EXISTING) {
            throw FunctionProblems.unknown(name);
        }
        if (existing.isPresent() && wishes.target() == Target.NEW) {
            throw FunctionProblems.exists(name);
        }
        if (existing.isEmpty() && all.size() >= rules.maxFunctions()) {
            throw Problem.of(
                            ProblemCode.FUNCTION_LIMIT_REACHED,
                            "The project has " + all.size() + " functions; " + rules.maxFunctions() + " are allowed.")
                    .withHint("Delete one, or raise spec.functions.maxFunctions of the Project.")
                    .asException();
        }
        existing.filter(EdgeFunction::isMarkedForDeletion).ifPresent(going -> {
            throw FunctionProblems.contended(name);
        });
        long version = existing.map(EdgeFunction::getStatus)
                .map(EdgeFunctionStatus::version)
                .orElse(0L);
        wishes.expectedVersion().filter(expected -> expected != version).ifPresent(expected -> {
            throw Problem.of(
                            ProblemCode.FUNCTION_VERSION_CONFLICT,
                            "The function " + name + " has version " + version + ", not " + expected + ".")
                    .withError("/expected_version", "is not " + version)
                    .asException();
        });
        return existing;
    }

    private EdgeFunction settled(EdgeFunction stored, String hash) {
        EdgeFunction seen = awaited(
                stored,
                now -> now.isFailed()
                        || !hash.equals(now.getSpec().contentHash())
                        || (now.isReady() && hash.equals(now.getStatus().hash())));
        if (!hash.equals(seen.getSpec().contentHash())) {
            throw Problem.of(
                            ProblemCode.FUNCTION_CONFLICT,
                            "The function was given other code while this one was rolled out.")
                    .withHint("GET the function to see what serves.")
                    .asException();
        }
        if (seen.isFailed()) {
            Condition ready = Conditions.in(seen.getStatus().conditions(), ConditionTypes.READY)
                    .orElseThrow();
            throw Problem.of(ProblemCode.FUNCTION_ROLLOUT_FAILED, ready.message())
                    .with("reason", ready.reason())
                    .withHint("The version before serves on, if there was one. The function's logs may say more.")
                    .asException();
        }
        return seen;
    }

    private EdgeFunction awaited(EdgeFunction stored, Predicate<EdgeFunction> dealtWith) {
        long generation = stored.getMetadata().getGeneration();
        String uid = stored.getMetadata().getUid();
        return watch.await(
                        stored.getMetadata().getNamespace(),
                        stored.getMetadata().getName(),
                        seen -> seen.getMetadata().getGeneration() >= generation
                                && Objects.equals(seen.getMetadata().getUid(), uid)
                                && dealtWith.test(seen),
                        readyWait)
                .or(() -> resources.find(stored))
                .orElse(stored);
    }

    private interface Change {
        EdgeFunction run();
    }

    private EdgeFunction inTurn(ClaimedProject live, String name, Change change) {
        FunctionId key = new FunctionId(
                live.resource().getMetadata().getNamespace(),
                live.resource().getMetadata().getName(),
                name);
        try (FunctionLocks.Taken turn = turns.take(key.text(), readyWait.multipliedBy(2))) {
            if (turn == null) {
                throw FunctionProblems.contended(name);
            }
            return change.run();
        }
    }

    private interface Keeping<T> {
        T run();
    }

    private static <T> T kept(Keeping<T> call) {
        try {
            return call.run();
        } catch (ArtifactsUnavailableException e) {
            throw FunctionProblems.unstored(e);
        }
    }
}
