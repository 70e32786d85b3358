package svc.operator.function.status;

import static svc.crds.function.EdgeFunctionCondition.AVAILABLE;
import static svc.crds.function.EdgeFunctionCondition.BUNDLE_READY;
import static svc.crds.project.ProjectCondition.RECONCILIATION_PAUSED;
import static svc.crds.project.ProjectCondition.STALLED;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionStatus;
import svc.crds.function.FunctionVersion;
import svc.operator.function.status.FunctionOutcome.Applied;
import svc.operator.function.status.FunctionOutcome.Failed;
import svc.operator.function.status.FunctionOutcome.NoCode;
import svc.operator.function.status.FunctionOutcome.Paused;
import svc.operator.function.status.FunctionOutcome.Refused;
import svc.operator.function.status.FunctionOutcome.Waiting;
import svc.operator.kubernetes.BoundedText;
import svc.operator.project.failure.Failure;
import svc.operator.project.status.Reasons;

/** Maps an outcome to the status. Never writes {@code bundle}, which the control plane owns. Pure. */
public final class FunctionStatusMapper {
    private FunctionStatusMapper() {}

    public static EdgeFunctionStatus map(EdgeFunction function, FunctionOutcome outcome, Instant now) {
        EdgeFunctionStatus before = function.getStatus() == null ? EdgeFunctionStatus.empty() : function.getStatus();
        before = before.toBuilder().bundle(null).build();
        Conditions stored = function.conditions();
        Conditions resumed = stored.without(RECONCILIATION_PAUSED).without(STALLED);
        return switch (outcome) {
            case Paused unused -> paused(before, stored, now);
            case Refused refused ->
                seen(
                                function,
                                before,
                                bundle(resumed, BundleState.of(function), false)
                                        .markFalse(AVAILABLE, refused.reason(), refused.message()),
                                now)
                        .url(refused.withdrawn() ? null : before.url())
                        .replicas(refused.withdrawn() ? Integer.valueOf(0) : before.replicas())
                        .build();
            case Waiting waiting ->
                seen(
                                function,
                                before,
                                bundle(resumed, BundleState.of(function), false)
                                        .markUnknown(AVAILABLE, FunctionReasons.PROJECT_NOT_READY, waiting.message()),
                                now)
                        .build();
            case NoCode none ->
                seen(
                                function,
                                before,
                                bundle(resumed, none.bundle(), true)
                                        .markUnknown(
                                                AVAILABLE,
                                                FunctionReasons.BUNDLE_PENDING,
                                                "The code is not bundled yet: see the condition BundleReady."),
                                now)
                        .url(none.url())
                        .build();
            case Applied applied -> applied(function, before, resumed, applied, now);
            case Failed failed ->
                seen(function, before, failed(resumed, failed.failure()), now).build();
        };
    }

    private static EdgeFunctionStatus paused(EdgeFunctionStatus before, Conditions stored, Instant now) {
        Conditions paused = stored.markTrue(
                RECONCILIATION_PAUSED,
                Reasons.PAUSED,
                "The Project is paused: the operator changes nothing until it is resumed.");
        if (before.version() == null) {
            paused = paused.markFalse(
                    AVAILABLE,
                    FunctionReasons.PROJECT_NOT_READY,
                    "The Project is paused: the function starts when it is resumed.");
        }
        return before.toBuilder()
                .conditions(BoundedText.messages(paused.at(now)))
                .build();
    }

    private static EdgeFunctionStatus applied(
            EdgeFunction function, EdgeFunctionStatus before, Conditions resumed, Applied applied, Instant now) {
        Rollout rollout = Rollout.of(applied.deployment());
        boolean served = applied.contentHash().equals(before.hash());
        boolean serves = rollout == Rollout.SERVING;
        Conditions judged = available(bundle(resumed, applied.bundle(), true), applied, rollout, served);
        EdgeFunctionStatus.Builder status =
                seen(function, before, judged, now).url(applied.url()).replicas(Rollout.running(applied.deployment()));
        if (serves && !served) {
            long version = before.version() == null ? 1 : before.version() + 1;
            status.version(version)
                    .hash(applied.contentHash())
                    .history(history(before.history(), version, applied.contentHash(), now));
        }
        return status.build();
    }

    private static Conditions available(Conditions conditions, Applied applied, Rollout rollout, boolean served) {
        if (applied.permit() == Applied.Permit.SUSPENDED) {
            return conditions.markFalse(
                    AVAILABLE,
                    FunctionReasons.PROJECT_SUSPENDED,
                    "spec.suspend of the Project is true: set it to false to run its functions.");
        }
        if (applied.permit() == Applied.Permit.DISABLED) {
            return conditions.markFalse(
                    AVAILABLE,
                    FunctionReasons.FUNCTIONS_DISABLED,
                    "spec.functions.enabled of the Project is false: set it to true to run its functions.");
        }
        if (rollout == Rollout.SERVING) {
            return conditions.markTrue(AVAILABLE, FunctionReasons.SERVING, "");
        }
        if (applied.startFailure().isPresent()) {
            String rest = served ? "" : " The previous version, if any, keeps serving.";
            return conditions.markFalse(
                    AVAILABLE,
                    FunctionReasons.DOES_NOT_START,
                    applied.startFailure().get() + rest);
        }
        if (!served) {
            return conditions.markUnknown(
                    AVAILABLE,
                    FunctionReasons.ROLLING_OUT,
                    "The version is starting; the previous one, if any, serves until it is ready.");
        }
        return rollout == Rollout.STOPPED
                ? conditions.markTrue(AVAILABLE, FunctionReasons.IDLE, "No process runs: the next call starts one.")
                : conditions.markTrue(AVAILABLE, FunctionReasons.STARTING, "");
    }

    /** @param asFalse whether code that cannot be bundled makes the condition False; otherwise Unknown */
    private static Conditions bundle(Conditions conditions, BundleState bundle, boolean asFalse) {
        return switch (bundle) {
            case BundleState.Bundled unused -> conditions.markTrue(BUNDLE_READY, FunctionReasons.BUNDLED, "");
            case BundleState.Pending unused ->
                // Unknown, as for everything that only takes time: False is a failure to tools such as Argo CD.
                conditions.markUnknown(
                        BUNDLE_READY,
                        FunctionReasons.BUNDLE_PENDING,
                        "The control plane has not bundled spec.source yet.");
            case BundleState.Unusable unusable ->
                asFalse
                        ? conditions.markFalse(BUNDLE_READY, FunctionReasons.BUNDLE_FAILED, unusable.message())
                        : conditions.markUnknown(BUNDLE_READY, FunctionReasons.BUNDLE_FAILED, unusable.message());
        };
    }

    private static Conditions failed(Conditions conditions, Failure failure) {
        Conditions judged = failure.known()
                ? conditions.markFalse(AVAILABLE, failure.reason(), failure.message())
                : conditions.markUnknown(AVAILABLE, failure.reason(), failure.message());
        return failure.known() && !failure.retry()
                ? judged.markTrue(STALLED, failure.reason(), failure.message())
                : judged;
    }

    /** With Stalled while a user must act. */
    private static Conditions stalled(Conditions conditions) {
        Condition ready = conditions.ready();
        return ready.isFalse() && FunctionReasons.isStalled(ready.reason())
                ? conditions.markTrue(STALLED, ready.reason(), ready.message())
                : conditions;
    }

    private static List<FunctionVersion> history(
            List<FunctionVersion> before, long version, String contentHash, Instant now) {
        List<FunctionVersion> history = new ArrayList<>();
        history.add(new FunctionVersion(version, contentHash, now.truncatedTo(ChronoUnit.SECONDS)));
        history.addAll(before);
        return history.subList(0, Math.min(history.size(), EdgeFunctionStatus.HISTORY));
    }

    private static EdgeFunctionStatus.Builder seen(
            EdgeFunction function, EdgeFunctionStatus before, Conditions conditions, Instant now) {
        return before.toBuilder()
                .observedGeneration(function.getMetadata().getGeneration())
                .conditions(BoundedText.messages(stalled(conditions).at(now)));
    }
}
