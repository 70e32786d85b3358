package svc.management.token;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;

/**
 * The caller of the control plane: the holder of a valid personal access token.
 *
 * @param tokenId identifies the token in logs and audits; not a secret
 * @param organization slug of the token's organisation; projects of other organisations are invisible
 * @param permissions granted at the time of the call
 */
public record Principal(UUID tokenId, String organization, Set<Permission> permissions) {
    public Principal {
        permissions = Set.copyOf(permissions);
    }

    public boolean may(Permission permission) {
        return permissions.contains(permission);
    }

    /** @throws ProblemException 403 with the permission's code if it is not granted */
    public void require(Permission permission) {
        if (!may(permission)) {
            throw Problem.of(
                            permission.forbidden(),
                            "This token does not have the permission " + permission.wire() + ".")
                    .with("missing_permissions", List.of(permission.wire()))
                    .withHint("Enable it with PATCH /v1/tokens/" + tokenId + " {\"permissions\":{\"" + permission.wire()
                            + "\":true}}, called with a token that has tokens_manage; the secret stays the same.")
                    .asException();
        }
    }
}
