package svc.operator.project.status;

import static svc.crds.project.ProjectCondition.CLAIMED;
import static svc.crds.project.ProjectCondition.DATABASE_READY;
import static svc.crds.project.ProjectCondition.KEYS_READY;
import static svc.crds.project.ProjectCondition.RECONCILIATION_PAUSED;
import static svc.crds.project.ProjectCondition.STALLED;
import static svc.crds.project.ProjectCondition.SUSPENDED;

import java.time.Instant;
import java.util.Base64;
import java.util.List;
import svc.crds.condition.Conditions;
import svc.crds.project.ActiveKey;
import svc.crds.project.ActiveKeys;
import svc.crds.project.ActiveVerifyKey;
import svc.crds.project.KeyVersion;
import svc.crds.project.KeysSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectStatus;
import svc.database.platform.ProjectRecord;
import svc.operator.kubernetes.BoundedText;
import svc.operator.project.backend.BackendResult.Ready;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.failure.Failure;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.VerifyKeys;
import svc.operator.project.status.ProjectOutcome.Conflicted;
import svc.operator.project.status.ProjectOutcome.Converged;
import svc.operator.project.status.ProjectOutcome.DeletionBlocked;
import svc.operator.project.status.ProjectOutcome.Failed;
import svc.operator.project.status.ProjectOutcome.Paused;

/**
 * Maps an outcome to the status. A failure keeps the earlier values: a project's keys and addresses stay valid while its
 * database is unreachable for a minute.
 */
public final class ProjectStatusMapper {
    private final ProjectAddresses addresses;

    public ProjectStatusMapper(ProjectAddresses addresses) {
        this.addresses = addresses;
    }

    public ProjectStatus map(Project project, ProjectOutcome outcome, Instant now) {
        ProjectStatus before = project.getStatus() == null ? ProjectStatus.empty() : project.getStatus();
        Conditions stored = project.conditions();
        return switch (outcome) {
            case Paused() ->
                before.toBuilder()
                        .conditions(BoundedText.messages(stored.markTrue(
                                        RECONCILIATION_PAUSED,
                                        Reasons.PAUSED,
                                        "An admin paused this Project: the operator changes nothing until it is resumed.")
                                .at(now)))
                        .build();
            case Conflicted(var what) -> conflicted(project, resumed(project, stored), what, now);
            case Converged converged -> converged(project, resumed(project, stored), converged, now);
            case Failed(var failure) -> seen(project, before, failed(resumed(project, stored), failure), now);
            case DeletionBlocked(var message) ->
                seen(project, before, stored.markFalse(DATABASE_READY, Reasons.DELETION_BLOCKED, message), now);
        };
    }

    private static Conditions resumed(Project project, Conditions stored) {
        Conditions resumed = stored.without(RECONCILIATION_PAUSED).without(STALLED);
        return project.getSpec().suspend()
                ? resumed.markTrue(
                        SUSPENDED,
                        Reasons.SUSPENDED,
                        "The project's services are stopped: set spec.suspend to false to start them.")
                : resumed.without(SUSPENDED);
    }

    private static Conditions failed(Conditions conditions, Failure failure) {
        Conditions judged = failure.known()
                ? conditions.markFalse(failure.condition(), failure.reason(), failure.message())
                : conditions.markUnknown(failure.condition(), failure.reason(), failure.message());
        return failure.known() && !failure.retry()
                ? judged.markTrue(STALLED, failure.reason(), failure.message())
                : judged;
    }

    private static ProjectStatus seen(Project project, ProjectStatus before, Conditions conditions, Instant now) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        return before.toBuilder()
                .observedGeneration(project.getMetadata().getGeneration())
                .ref(identity.ref())
                .projectId(identity.projectId().toString())
                .conditions(BoundedText.messages(conditions.at(now)))
                .build();
    }

    /** Starts from an empty status: a project without its claim must not show keys, addresses or a location. */
    private static ProjectStatus conflicted(Project project, Conditions conditions, String what, Instant now) {
        String message = what + " is held by another Project: choose another one, or ask an admin to transfer it.";
        return seen(
                project,
                ProjectStatus.empty(),
                conditions
                        .markFalse(CLAIMED, Reasons.REF_CONFLICT, message)
                        .markTrue(STALLED, Reasons.REF_CONFLICT, message)
                        .markUnknown(DATABASE_READY, Reasons.NOT_CLAIMED, "")
                        .markUnknown(KEYS_READY, Reasons.NOT_CLAIMED, ""),
                now);
    }

    private ProjectStatus converged(Project project, Conditions conditions, Converged outcome, Instant now) {
        ProjectRecord claimed = outcome.provisioned().project();
        var at = addresses.of(claimed.ref());
        Conditions judged =
                conditions.markTrue(CLAIMED, Reasons.CLAIM_HELD, "").markTrue(DATABASE_READY, Reasons.PROVISIONED, "");
        judged = keysReady(judged, project, outcome);
        return seen(project, ProjectStatus.empty(), judged, now).toBuilder()
                .schema(outcome.database().schema())
                .url(at.url())
                .restUrl(at.rest())
                .authUrl(at.auth())
                .storageUrl(at.storage())
                .realtimeUrl(at.realtime())
                .graphqlUrl(at.graphql())
                .functionsUrl(at.functions())
                .anonKey(outcome.keys().anon())
                .incarnation(Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(claimed.incarnation().bytes()))
                .masterKeyVersion(claimed.masterKeyVersion())
                .keys(activeKeys(project.getSpec().keys(), now))
                .database(outcome.database().location())
                .companionVersion(companionVersion(outcome.database()))
                .secretName(
                        outcome.secret() == KeysSecretState.PRESENT
                                ? project.getSpec().keysSecret()
                                : null)
                .verifyKeys(verifyKeys(project, outcome.verifyKeys()))
                .authSecrets(outcome.authSecrets().values())
                .realtime(outcome.realtime().orElse(null))
                .build();
    }

    private static Integer companionVersion(Ready database) {
        return database.companionVersion().isPresent()
                ? database.companionVersion().getAsInt()
                : null;
    }

    private static Conditions keysReady(Conditions conditions, Project project, Converged outcome) {
        if (outcome.secret() == KeysSecretState.NOT_OWNED) {
            return conditions.markFalse(
                    KEYS_READY,
                    Reasons.SECRET_NOT_OWNED,
                    "The Secret " + project.getSpec().keysSecret()
                            + " exists and is not owned by this Project: set another"
                            + " name in spec.keysSecret, or delete that Secret.");
        }
        return switch (outcome.verifyKeys()) {
            case VerifyKeys.Found.Missing missing ->
                conditions.markFalse(KEYS_READY, Reasons.VERIFY_KEY_MISSING, missing.message());
            case VerifyKeys.Found.Keys unused ->
                outcome.authSecrets()
                        .missing()
                        .map(what -> conditions.markFalse(KEYS_READY, Reasons.AUTH_SECRET_MISSING, what))
                        .orElseGet(() -> conditions.markTrue(KEYS_READY, Reasons.KEYS_ISSUED, ""));
        };
    }

    /** Keeps the earlier keys while a Secret is missing: valid tokens must not become invalid with it. */
    private static List<ActiveVerifyKey> verifyKeys(Project project, VerifyKeys.Found found) {
        return switch (found) {
            case VerifyKeys.Found.Keys keys -> keys.keys();
            case VerifyKeys.Found.Missing unused ->
                project.getStatus() == null ? null : project.getStatus().verifyKeys();
        };
    }

    private static ActiveKeys activeKeys(KeysSpec keys, Instant now) {
        return new ActiveKeys(
                activeKey(keys.anon(), now),
                activeKey(keys.service(), now),
                activeKey(keys.signing(), now),
                activeKey(keys.database(), now));
    }

    /** Omits a previous version whose overlap has ended, so that the status lists only accepted keys. */
    private static ActiveKey activeKey(KeyVersion wanted, Instant now) {
        ActiveKey key = ActiveKey.of(wanted);
        return key.acceptsPrevious(now) ? key : new ActiveKey(wanted.version(), null);
    }
}
