package svc.management.function;

import static svc.management.function.FunctionDeployer.fromStore;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionStatus;
import svc.functions.artifact.Archive;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ContentHash;
import svc.management.function.FunctionBodies.Bundle;
import svc.management.function.FunctionDeployer.DeployOptions;
import svc.management.function.FunctionDeployer.Target;
import svc.management.json.Body;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Deploys several functions in two steps, as Supabase's command line does: each is bundled ahead, which changes nothing; then
 * one call activates those that it names.
 */
@ApplicationScoped
class BatchDeployment {
    /** How long a bundle waits for its activation at least. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final Functions functions;
    private final FunctionDeployer deploys;
    private final FunctionResources resources;
    private final ArtifactStore artifacts;
    private final Clock clock;
    private final Duration readyWait;

    BatchDeployment(
            Functions functions,
            FunctionDeployer deploys,
            FunctionResources resources,
            ArtifactStore artifacts,
            Clock clock,
            DeployConfig config) {
        this.functions = functions;
        this.deploys = deploys;
        this.resources = resources;
        this.artifacts = artifacts;
        this.clock = clock;
        this.readyWait = config.readyWait();
    }

    /** @throws ProblemException if the code cannot be deployed, or too many bundles of the project wait */
    Bundle bundle(Principal by, String ref, FunctionSource source, DeployOptions options) {
        ClaimedProject claimed = functions.claimed(by, ref);
        Optional<EdgeFunction> existing = deploys.admit(claimed, source.name(), options);
        byte[] archive = source.archive(deploys.bundled(claimed, source)).bytes();
        makeRoom(claimed, ContentHash.of(archive));
        ContentHash hash = fromStore(() -> artifacts.put(claimed.projectId(), archive));
        return new Bundle(
                existing.map(function -> function.getMetadata().getUid()).orElse(source.name()),
                source.name(),
                source.name(),
                FunctionState.ACTIVE.name(),
                existing.map(EdgeFunction::getStatus)
                        .map(EdgeFunctionStatus::version)
                        .orElse(0L),
                existing.map(function -> Instant.parse(function.getMetadata().getCreationTimestamp())
                                .toEpochMilli())
                        .orElse(0L),
                options.verifyJwt()
                        .or(() -> existing.map(function -> function.getSpec().verifyJwt()))
                        .orElse(true),
                source.importMap().isPresent(),
                source.entrypoint(),
                source.importMap().orElse(null),
                hash.hex());
    }

    /**
     * A project keeps as many bundles that no function has as it may have functions. What waits for longer than an hour is
     * deleted for the next one.
     */
    private void makeRoom(ClaimedProject claimed, ContentHash next) {
        List<ArtifactStore.Stored> known = fromStore(() -> artifacts.list(claimed.projectId()));
        // After the list: a bundle that another instance activated meanwhile is needed.
        Set<ContentHash> needed = resources.ofProject(claimed.resource()).stream()
                .flatMap(function -> ArchiveReferences.of(function).stream())
                .collect(Collectors.toSet());
        Instant past = clock.instant().minus(KEPT);
        int waiting = 0;
        for (ArtifactStore.Stored stored : known) {
            if (needed.contains(stored.hash()) || stored.hash().equals(next)) {
                continue;
            }
            if (stored.storedAt().isBefore(past)) {
                fromStore(() -> {
                    artifacts.delete(claimed.projectId(), stored.hash());
                    return null;
                });
            } else {
                waiting++;
            }
        }
        int limit = claimed.resource().getSpec().functions().maxFunctions();
        if (waiting >= limit) {
            throw Problem.of(
                            ProblemCode.FUNCTION_LIMIT_REACHED,
                            "The project has " + waiting + " bundles that wait for their activation; the limit is "
                                    + limit + ".")
                    .withHint("Activate them with PUT /v1/projects/" + claimed.ref() + "/functions, deploy without"
                            + " bundleOnly, or try again in an hour.")
                    .asException();
        }
    }

    /**
     * Activates what was bundled ahead. Nothing changes if one of the bundles is not there; repeating the call changes nothing
     * either.
     */
    List<EdgeFunction> activate(Principal by, String ref, List<Bundle> wanted) {
        ClaimedProject claimed = functions.claimed(by, ref);
        Set<String> names = new HashSet<>();
        List<Activation> checked = new ArrayList<>();
        for (Bundle bundle : wanted) {
            checked.add(checked(claimed, "/" + checked.size(), Body.required(bundle, "/" + checked.size()), names));
        }
        List<EdgeFunction> written = checked.stream()
                .map(one -> deploys.locked(
                        claimed, one.name(), () -> deploys.write(by, claimed, one.name(), one.hash(), one.options())))
                .toList();
        Instant end = clock.instant().plus(readyWait);
        List<EdgeFunction> active = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            Duration left = Duration.between(clock.instant(), end);
            active.add(deploys.active(
                    written.get(i), checked.get(i).hash().toString(), left.isNegative() ? Duration.ZERO : left));
        }
        return active;
    }

    private record Activation(String name, ContentHash hash, DeployOptions options) {}

    private Activation checked(ClaimedProject claimed, String pointer, Bundle bundle, Set<String> names) {
        String name = FunctionName.checked(Body.required(bundle.slug(), pointer + "/slug"), pointer + "/slug");
        if (!names.add(name)) {
            throw refused(pointer + "/slug", "The function " + name + " is named twice.", "is there twice");
        }
        if (bundle.status() != null && !bundle.status().equals(FunctionState.ACTIVE.name())) {
            throw refused(
                    pointer + "/status", "A function is activated here, and removed with DELETE.", "must be ACTIVE");
        }
        // The archive has the name of its function: the bundle of another one is not activated as this one.
        ContentHash hash = ContentHash.ofHex(Body.required(bundle.ezbrSha256(), pointer + "/ezbr_sha256"))
                .filter(given -> fromStore(() -> artifacts.find(claimed.projectId(), given))
                        .map(Archive::read)
                        .filter(archive -> name.equals(archive.name()))
                        .isPresent())
                .orElseThrow(() -> refused(
                        pointer + "/ezbr_sha256",
                        "The project has no such bundle of the function " + name
                                + ": it was not made, or waited too long."
                                + " Bundle it again with POST …/functions/deploy?slug=" + name + "&bundleOnly=true.",
                        "names no bundle of this function"));
        return new Activation(
                name,
                hash,
                new DeployOptions(Optional.ofNullable(bundle.verifyJwt()), Optional.empty(), Target.EITHER));
    }

    private static ProblemException refused(String pointer, String detail, String error) {
        return Problem.of(ProblemCode.INVALID_BODY, detail)
                .withError(pointer, error)
                .asException();
    }
}
