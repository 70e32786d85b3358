package svc.operator.project.status;

import static svc.crds.project.ProjectCondition.CLAIMED;
import static svc.crds.project.ProjectCondition.DATABASE_READY;
import static svc.crds.project.ProjectCondition.KEYS_READY;
import static svc.crds.project.ProjectCondition.RECONCILIATION_PAUSED;
import static svc.crds.project.ProjectCondition.STALLED;

import java.time.Instant;
import java.util.Base64;
import java.util.List;
import svc.crds.condition.Conditions;
import svc.crds.project.ActiveKey;
import svc.crds.project.ActiveKeys;
import svc.crds.project.ActiveVerifyKey;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.KeyVersion;
import svc.crds.project.KeysSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectStatus;
import svc.database.platform.ProjectRecord;
import svc.database.project.companion.Companion;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.failure.Failure;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.VerifyKeys;
import svc.operator.project.status.ProjectOutcome.Conflicted;
import svc.operator.project.status.ProjectOutcome.DeletionBlocked;
import svc.operator.project.status.ProjectOutcome.Failed;
import svc.operator.project.status.ProjectOutcome.InOrder;
import svc.operator.project.status.ProjectOutcome.Paused;

/**
 * The status that an outcome leads to. A failure keeps what was true before: the keys and addresses of a project do not
 * stop being right because its database is away for a minute.
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
                        .conditions(
                                stored.markTrue(RECONCILIATION_PAUSED, Reasons.PAUSED, "As asked; nothing is touched.")
                                        .at(now))
                        .build();
            case Conflicted(var what) -> conflicted(project, going(stored), what, now);
            case InOrder inOrder -> inOrder(project, going(stored), inOrder, now);
            case Failed(var failure) -> seen(project, before, failed(going(stored), failure), now);
            case DeletionBlocked(var message) ->
                seen(project, before, stored.markFalse(DATABASE_READY, Reasons.DELETION_BLOCKED, message), now);
        };
    }

    private static Conditions going(Conditions stored) {
        return stored.without(RECONCILIATION_PAUSED).without(STALLED);
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
                .conditions(conditions.at(now))
                .build();
    }

    /** Begins from nothing: of a project that lost its claim no key, address or place may stay. */
    private static ProjectStatus conflicted(Project project, Conditions conditions, String what, Instant now) {
        String message = what + " is held by another Project. Choose another one, or ask an admin to transfer it.";
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

    private ProjectStatus inOrder(Project project, Conditions conditions, InOrder outcome, Instant now) {
        ProjectRecord claimed = outcome.provisioned().project();
        var at = addresses.of(claimed.ref());
        Conditions judged =
                conditions.markTrue(CLAIMED, Reasons.CLAIM_HELD, "").markTrue(DATABASE_READY, Reasons.PROVISIONED, "");
        judged = keysReady(judged, project, outcome);
        return seen(project, ProjectStatus.empty(), judged, now).toBuilder()
                .schema(schema(project, outcome))
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
                .keys(inForce(project.getSpec().keys(), now))
                .database(outcome.place())
                .companionVersion(
                        outcome.place().layout() == DatabaseLayout.ADOPTED
                                ? null
                                : Companion.current().version())
                .secretName(
                        outcome.secret() == KeysSecretState.KEPT
                                ? project.getSpec().keysSecret()
                                : null)
                .verifyKeys(verifyKeys(project, outcome.verifyKeys()))
                .authSecrets(outcome.authSecrets().values())
                .build();
    }

    /** Of an adopted database the one that clients get when they name none. */
    private static String schema(Project project, InOrder outcome) {
        return outcome.place().layout() == DatabaseLayout.ADOPTED
                ? project.getSpec().rest().firstExposedSchema()
                : outcome.provisioned().project().names().schemaName();
    }

    private static Conditions keysReady(Conditions conditions, Project project, InOrder outcome) {
        if (outcome.secret() == KeysSecretState.NOT_OWNED) {
            return conditions.markFalse(
                    KEYS_READY,
                    Reasons.SECRET_NOT_OWNED,
                    "The Secret " + project.getSpec().keysSecret() + " exists and is not this Project's: name another"
                            + " one in spec.keysSecret, or remove it.");
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

    /** Keys that cannot be read now stay as they were: tokens that were good do not go bad with a Secret's absence. */
    private static List<ActiveVerifyKey> verifyKeys(Project project, VerifyKeys.Found found) {
        return switch (found) {
            case VerifyKeys.Found.Keys keys -> keys.keys();
            case VerifyKeys.Found.Missing unused ->
                project.getStatus() == null ? null : project.getStatus().verifyKeys();
        };
    }

    private static ActiveKeys inForce(KeysSpec keys, Instant now) {
        return new ActiveKeys(
                inForce(keys.anon(), now),
                inForce(keys.service(), now),
                inForce(keys.signing(), now),
                inForce(keys.database(), now));
    }

    /** An overlap that is over is left out: what status says is accepted, is. */
    private static ActiveKey inForce(KeyVersion wanted, Instant now) {
        ActiveKey inForce = ActiveKey.of(wanted);
        return inForce.acceptsPrevious(now) ? inForce : new ActiveKey(wanted.version(), null);
    }
}
