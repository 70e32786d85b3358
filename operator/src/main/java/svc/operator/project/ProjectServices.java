package svc.operator.project;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.database.key.MasterKeys;
import svc.operator.config.ReconcilerTuning;
import svc.operator.observe.Observer;
import svc.operator.project.adopted.AdoptedDatabase;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.dedicated.DedicatedDatabase;

/**
 * What the Project reconciler needs from outside.
 *
 * @param places where each configured shared database is, by its name, in the order in which equally loaded ones are chosen
 * @param dataUrl a project's base address with <code>{ref}</code> in it
 * @param clock what conditions, Events and overlaps of keys are timed by
 */
public record ProjectServices(
        ProjectProvisioner database,
        AdoptedDatabase adopted,
        DedicatedDatabase dedicated,
        Map<String, svc.crds.project.ProjectDatabase> places,
        MasterKeys masterKeys,
        String dataUrl,
        ReconcilerTuning tuning,
        KubernetesClient client,
        InstantSource clock,
        Observer observer) {
    public ProjectServices {
        places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
    }
}
