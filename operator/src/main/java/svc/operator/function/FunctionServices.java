package svc.operator.function;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import svc.database.key.MasterKeys;
import svc.operator.config.ReconcilerTuning;
import svc.operator.function.desired.RuntimeSettings;
import svc.operator.observe.Observer;

/** The dependencies of the EdgeFunction and FunctionSecret reconcilers. */
public record FunctionServices(
        MasterKeys masterKeys,
        RuntimeSettings runtime,
        ReconcilerTuning tuning,
        KubernetesClient client,
        InstantSource clock,
        Observer observer) {}
