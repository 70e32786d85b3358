package svc.operator.project;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.database.key.MasterKeys;
import svc.operator.config.ReconcilerTuning;
import svc.operator.observe.Observer;
import svc.operator.project.adopted.AdoptedDatabase;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.dedicated.DedicatedDatabase;
import svc.operator.project.sidecar.desired.SidecarSettings;

/**
 * The dependencies of the Project reconciler.
 *
 * @param locations of the shared databases by configured name, in the order in which equally loaded ones are chosen
 * @param sidecars how realtime sidecars run; without it projects with a dedicated database have none
 * @param dataUrl a project's base address with <code>{ref}</code> in it
 * @param trigger reconciles a Project whose quarantine changed
 * @param clock for conditions, Events and overlaps of key versions
 */
public record ProjectServices(
        ProjectProvisioner database,
        AdoptedDatabase adopted,
        DedicatedDatabase dedicated,
        Map<String, svc.crds.project.ProjectDatabase> locations,
        MasterKeys masterKeys,
        Optional<SidecarSettings> sidecars,
        String dataUrl,
        ReconcilerTuning tuning,
        ProjectTrigger trigger,
        KubernetesClient client,
        InstantSource clock,
        Observer observer) {
    public ProjectServices {
        locations = Collections.unmodifiableMap(new LinkedHashMap<>(locations));
    }
}
