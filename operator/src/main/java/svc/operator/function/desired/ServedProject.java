package svc.operator.function.desired;

import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.ActiveKey;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectStatus;
import svc.crds.project.service.FunctionsSpec;
import svc.database.key.ApiKey;
import svc.database.key.DerivedKey;
import svc.database.key.Incarnation;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.operator.project.desired.ProjectAccess;

/**
 * What a project provides to its functions: identity, addresses, keys. Read from its status, which the operator writes only
 * while the resource holds the project.
 *
 * @param access the variables for using the project; holds the service key
 * @param runtime key for the tokens of its functions and the digests of their secrets
 * @param suspended whether no process of its functions may run
 */
public record ServedProject(
        ProjectAccess access, UUID projectId, DerivedKey runtime, FunctionsSpec functions, boolean suspended) {

    /** The project, or why it provides nothing. */
    public sealed interface Found {
        record Served(ServedProject project) implements Found {}

        /**
         * It is not provisioned yet, and its functions wait.
         *
         * @param message for a condition
         */
        record Awaited(String message) implements Found {}

        /**
         * @param message for a condition
         * @param lost whether its functions must be withdrawn
         */
        record Refused(String message, boolean lost) implements Found {}
    }

    /** @param masterKeys must include the project's version */
    public static Found of(Project project, MasterKeys masterKeys) {
        ProjectStatus status = project.getStatus();
        String name = project.getMetadata().getName();
        if (project.isMarkedForDeletion()) {
            return new Found.Refused("The Project " + name + " is being deleted.", true);
        }
        if (status != null
                && Conditions.in(status.conditions(), ProjectCondition.CLAIMED)
                        .filter(Condition::isFalse)
                        .isPresent()) {
            return new Found.Refused(
                    "Another Project holds the ref or the id of the Project " + name + ": see its conditions.", true);
        }
        if (status == null || !isClaimed(status) || !isComplete(status)) {
            return new Found.Awaited("The Project " + name + " is not provisioned yet: see its conditions.");
        }
        Optional<MasterKey> key = masterKeys.version(status.masterKeyVersion());
        if (key.isEmpty()) {
            return new Found.Refused(
                    "Version " + status.masterKeyVersion() + " of the master key, which the Project " + name
                            + " needs, is not configured: ask an admin for it.",
                    false);
        }
        return new Found.Served(of(project, key.get()));
    }

    private static ServedProject of(Project project, MasterKey key) {
        ProjectStatus status = project.getStatus();
        UUID id = UUID.fromString(status.projectId());
        var incarnation = Incarnation.of(Base64.getUrlDecoder().decode(status.incarnation()));
        var scope = new ProjectKeyScope(id, incarnation, 1);
        String service = ApiKey.of(key.root(Purpose.SERVICE_KEY)
                .leaf(scope.withKeyVersion(version(status.keys().service()))));
        return new ServedProject(
                new ProjectAccess(status.ref(), status.url(), status.schema(), status.anonKey(), service),
                id,
                key.root(Purpose.FUNCTION_RUNTIME).leaf(scope),
                project.getSpec().functions(),
                project.getSpec().suspend());
    }

    private static boolean isClaimed(ProjectStatus status) {
        return Conditions.in(status.conditions(), ProjectCondition.CLAIMED)
                .filter(Condition::isTrue)
                .isPresent();
    }

    private static boolean isComplete(ProjectStatus status) {
        return status.ref() != null
                && status.projectId() != null
                && status.url() != null
                && status.schema() != null
                && status.anonKey() != null
                && status.incarnation() != null
                && status.masterKeyVersion() != null
                && status.keys() != null;
    }

    private static int version(ActiveKey key) {
        return key == null ? 1 : key.version();
    }

    /** Omits the keys. */
    @Override
    public String toString() {
        return "ServedProject[" + access.ref() + "]";
    }
}
