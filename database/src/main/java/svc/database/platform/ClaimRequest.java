package svc.database.platform;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * A custom resource's wish to hold a project.
 *
 * @param masterKeyVersion recorded if the project is new, otherwise not looked at; as is {@code placement}
 */
public record ClaimRequest(UUID projectId, String ref, Holder holder, Placement placement, int masterKeyVersion) {
    public ClaimRequest {
        requireNonNull(projectId, "projectId is null");
        requireNonNull(ref, "ref is null");
        requireNonNull(holder, "holder is null");
        requireNonNull(placement, "placement is null");
    }
}
