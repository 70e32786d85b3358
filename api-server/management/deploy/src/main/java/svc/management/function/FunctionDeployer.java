package svc.management.function;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
import svc.management.problem.ProjectPaused;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;

/**
 * Deploys the code of a function: bundle, dry boot, store the archive, write the resource, wait for the rollout. Until
 * the resource is written nothing has changed, and the active version stays active. Deployments of one function are
 * serialized.
 */
@ApplicationScoped
class FunctionDeployer {
    private final Functions functions;
    private final FunctionResources resources;
    private final PreviewEnvironment environment;
    private final FunctionBundler bundler;
    private final ArtifactStore artifacts;
    private final FunctionWatch watch;
    private final FunctionAudit audit;
    private final FunctionLocks locks = new FunctionLocks();
    private final Duration readyWait;

    FunctionDeployer(
            Functions functions,
            FunctionResources resources,
            PreviewEnvironment environment,
            FunctionBundler bundler,
            ArtifactStore artifacts,
            FunctionWatch watch,
            FunctionAudit audit,
            DeployConfig config) {
        this.functions = functions;
        this.resources = resources;
        this.environment = environment;
        this.bundler = bundler;
        this.artifacts = artifacts;
        this.watch = watch;
        this.audit = audit;
        this.readyWait = config.readyWait();
    }

    /** Options of a deployment. */
    record DeployOptions(Optional<Boolean> verifyJwt, Optional<Long> expectedVersion, Target target) {}

    /** Which functions a deployment accepts. */
    enum Target {
        NEW,
        EXISTING,
        EITHER
    }

    /**
     * @return the function, serving the code or, if the timeout expired, in its state at that time
     * @throws ProblemException if the code cannot be deployed
     */
    EdgeFunction deploy(Principal by, String ref, FunctionSource source, DeployOptions options) {
        ClaimedProject claimed = functions.claimed(by, ref);
        return locked(claimed, source.name(), () -> {
            admit(claimed, source.name(), options);
            BundleResult.Bundled bundled = bundled(claimed, source);
            ContentHash hash = fromStore(() ->
                    artifacts.put(claimed.projectId(), source.archive(bundled).bytes()));
            return active(write(by, claimed, source.name(), hash, options), hash.toString(), readyWait);
        });
    }

    BundleResult.Bundled bundled(ClaimedProject claimed, FunctionSource source) {
        return switch (bundler.bundle(claimed.caller(), source.request(), environment.of(claimed, source.name()))) {
            case BundleResult.Bundled bundled -> bundled;
            case BundleResult.Refused refused -> throw FunctionProblems.refused(refused);
            case BundleResult.Busy unused -> throw FunctionProblems.busy();
        };
    }

    /** Writes the resource of a function whose archive is stored; while its lock is held. */
    EdgeFunction write(Principal by, ClaimedProject claimed, String name, ContentHash hash, DeployOptions options) {
        Optional<EdgeFunction> existing = admit(claimed, name, options);
        EdgeFunction stored = existing.map(function -> resources.change(
                        function,
                        spec -> FunctionResources.withCode(
                                spec, hash.toString(), options.verifyJwt().orElse(spec.verifyJwt()))))
                .orElseGet(() -> resources.create(
                        claimed.resource(),
                        name,
                        hash.toString(),
                        options.verifyJwt().orElse(true),
                        by.tokenId().toString()))
                .orElseThrow(() -> FunctionProblems.contended(name));
        // Another instance may have collected the archive while the same code was deployed again.
        if (!fromStore(() -> artifacts.contains(claimed.projectId(), hash))) {
            throw FunctionProblems.contended(name);
        }
        audit.deployed(by, claimed, name, hash.toString());
        return stored;
    }

    /** Makes an earlier version active again. */
    EdgeFunction rollBack(Principal by, String ref, String name, long version) {
        ClaimedProject claimed = functions.claimed(by, ref);
        return locked(claimed, name, () -> {
            EdgeFunction function = functions.get(by, ref, name);
            String hash = hashOf(function, version);
            boolean there = ContentHash.parse(hash)
                    .map(content -> fromStore(() -> artifacts.contains(claimed.projectId(), content)))
                    .orElse(false);
            if (!there) {
                throw FunctionProblems.noVersion(name, version, versions(function));
            }
            EdgeFunction changed = resources
                    .change(function, spec -> FunctionResources.withCode(spec, hash, spec.verifyJwt()))
                    .orElseThrow(() -> FunctionProblems.contended(name));
            audit.deployed(by, claimed, name, hash);
            return active(changed, hash, readyWait);
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

    /** Changes whether calls need a token. */
    EdgeFunction changeVerifyJwt(Principal by, String ref, String name, boolean verifyJwt) {
        ClaimedProject claimed = functions.claimed(by, ref);
        return locked(claimed, name, () -> {
            EdgeFunction changed = resources
                    .change(functions.get(by, ref, name), spec -> FunctionResources.withVerifyJwt(spec, verifyJwt))
                    .orElseThrow(() -> FunctionProblems.contended(name));
            return awaited(changed, seen -> seen.isReady() || seen.isFailed(), readyWait);
        });
    }

    /** Checked before the bundling, to fail early, and after it, because bundling takes time. */
    Optional<EdgeFunction> admit(ClaimedProject claimed, String name, DeployOptions options) {
        if (claimed.resource().getSpec().suspend()) {
            throw ProjectPaused.of(ProjectWatch.refOf(claimed.resource()));
        }
        FunctionsSpec rules = claimed.resource().getSpec().functions();
        if (!rules.enabled()) {
            throw Problem.of(ProblemCode.FUNCTIONS_DISABLED, "Functions are disabled for this project.")
                    .withHint("Set spec.functions.enabled of the Project to true.")
                    .asException();
        }
        List<EdgeFunction> all = resources.ofProject(claimed.resource());
        Optional<EdgeFunction> existing = FunctionResources.named(all, name);
        if (existing.isEmpty() && options.target() == Target.EXISTING) {
            throw FunctionProblems.unknown(name);
        }
        if (existing.isPresent() && options.target() == Target.NEW) {
            throw FunctionProblems.exists(name);
        }
        if (existing.isEmpty() && all.size() >= rules.maxFunctions()) {
            throw Problem.of(
                            ProblemCode.FUNCTION_LIMIT_REACHED,
                            "The project has " + all.size() + " functions; the limit is " + rules.maxFunctions() + ".")
                    .withHint("Delete one, or raise spec.functions.maxFunctions of the Project.")
                    .asException();
        }
        existing.filter(EdgeFunction::isMarkedForDeletion).ifPresent(going -> {
            throw FunctionProblems.contended(name);
        });
        long version = existing.map(EdgeFunction::getStatus)
                .map(EdgeFunctionStatus::version)
                .orElse(0L);
        options.expectedVersion().filter(expected -> expected != version).ifPresent(expected -> {
            throw Problem.of(
                            ProblemCode.FUNCTION_VERSION_CONFLICT,
                            "The function " + name + " has version " + version + ", not " + expected + ".")
                    .withError("/expected_version", "is not " + version)
                    .asException();
        });
        return existing;
    }

    /**
     * Waits for the rollout of what was written.
     *
     * @param wait at most
     * @return the function, serving the code or in its state at the end of that time
     */
    EdgeFunction active(EdgeFunction stored, String hash, Duration wait) {
        EdgeFunction seen = awaited(
                stored,
                now -> now.isFailed()
                        || !hash.equals(now.getSpec().contentHash())
                        || (now.isReady() && hash.equals(now.getStatus().hash())),
                wait);
        if (!hash.equals(seen.getSpec().contentHash())) {
            throw Problem.of(
                            ProblemCode.FUNCTION_CONFLICT,
                            "The function was deployed again while this version was rolled out.")
                    .withHint("Check with GET which version is active.")
                    .asException();
        }
        if (seen.isFailed()) {
            Condition ready = Conditions.in(seen.getStatus().conditions(), ConditionTypes.READY)
                    .orElseThrow();
            throw Problem.of(ProblemCode.FUNCTION_ROLLOUT_FAILED, ready.message())
                    .with("reason", ready.reason())
                    .withHint("The previous version, if any, stays active. Read the function's logs for the reason.")
                    .asException();
        }
        return seen;
    }

    private EdgeFunction awaited(EdgeFunction stored, Predicate<EdgeFunction> isReconciled, Duration wait) {
        long generation = stored.getMetadata().getGeneration();
        String uid = stored.getMetadata().getUid();
        return watch.await(
                        stored.getMetadata().getNamespace(),
                        stored.getMetadata().getName(),
                        seen -> seen.getMetadata().getGeneration() >= generation
                                && Objects.equals(seen.getMetadata().getUid(), uid)
                                && isReconciled.test(seen),
                        wait)
                .or(() -> resources.find(stored))
                .orElse(stored);
    }

    EdgeFunction locked(ClaimedProject claimed, String name, Supplier<EdgeFunction> change) {
        FunctionId key = new FunctionId(
                claimed.resource().getMetadata().getNamespace(),
                claimed.resource().getMetadata().getName(),
                name);
        return locks.with(key.text(), readyWait.multipliedBy(2), change)
                .orElseThrow(() -> FunctionProblems.contended(name));
    }

    static <T> T fromStore(Supplier<T> call) {
        try {
            return call.get();
        } catch (ArtifactsUnavailableException e) {
            throw FunctionProblems.unstored(e);
        }
    }
}
