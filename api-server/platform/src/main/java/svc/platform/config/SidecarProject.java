package svc.platform.config;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.crds.project.Project;
import svc.crds.project.ProjectStatus;
import svc.database.key.Incarnation;
import svc.database.key.ProjectKeyScope;
import svc.database.key.ProjectLeaves;

/** The project and the keys of a realtime sidecar; empty in a process of another role, whatever it was configured with. */
@Singleton
public final class SidecarProject {
    private final Optional<Project> project;
    private final Optional<PurposeRoots> roots;

    /** @throws IllegalStateException naming the setting, never its value, when a sidecar cannot read it */
    @Inject
    public SidecarProject(ApiConfig api, SidecarConfig config) {
        this(api.roles(), config);
    }

    SidecarProject(Set<ServerRole> roles, SidecarConfig config) {
        if (!roles.contains(ServerRole.REALTIME_SIDECAR)) {
            this.project = Optional.empty();
            this.roots = Optional.empty();
            return;
        }
        if (roles.size() > 1) {
            throw new IllegalStateException("svc.api.roles: realtime-sidecar is never together with another role");
        }
        Project found = read(required(config.project(), "svc.sidecar.project"));
        ProjectLeaves leaves = ProjectLeaves.parse(required(config.leaves(), "svc.sidecar.leaves"))
                .orElseThrow(() -> new IllegalStateException("svc.sidecar.leaves has an entry that is not a leaf"));
        ProjectStatus status = found.getStatus();
        var scope = new ProjectKeyScope(
                UUID.fromString(status.projectId()),
                Incarnation.of(Base64.getUrlDecoder().decode(status.incarnation())),
                1);
        this.project = Optional.of(found);
        this.roots = Optional.of(PurposeRoots.ofProject(leaves, scope, status.masterKeyVersion()));
    }

    private static String required(Optional<String> value, String setting) {
        return value.orElseThrow(() -> new IllegalStateException("a realtime sidecar needs " + setting));
    }

    private static Project read(String base64) {
        try {
            String json = new String(Base64.getDecoder().decode(base64.strip()), StandardCharsets.UTF_8);
            Project project = new KubernetesSerialization().unmarshal(json, Project.class);
            if (project.getStatus() == null || project.getStatus().incarnation() == null) {
                throw new IllegalStateException("svc.sidecar.project is not provisioned");
            }
            return project;
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("svc.sidecar.project cannot be read", e);
        }
    }

    /** The one project that this process serves. */
    public Optional<Project> project() {
        return project;
    }

    /** Its keys. */
    public Optional<PurposeRoots> roots() {
        return roots;
    }
}
