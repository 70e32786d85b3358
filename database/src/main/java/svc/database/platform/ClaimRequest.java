package svc.database.platform;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * Asks the registry to record a custom resource as the holder of a project.
 *
 * @param placement used only when the project is new
 * @param masterKeyVersion used only when the project is new
 */
public record ClaimRequest(UUID projectId, String ref, Holder holder, Placement placement, int masterKeyVersion) {
    public ClaimRequest {
        requireNonNull(projectId, "projectId is null");
        requireNonNull(ref, "ref is null");
        requireNonNull(holder, "holder is null");
        requireNonNull(placement, "placement is null");
    }
}
