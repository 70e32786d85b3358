package svc.operator.function;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import svc.database.key.MasterKeys;
import svc.operator.function.desired.RuntimeSettings;
import svc.operator.observe.Observer;
import svc.operator.runtime.ReconcilerTuning;

/** What the reconcilers of EdgeFunction and FunctionSecret need from outside. */
public record FunctionServices(
        MasterKeys masterKeys,
        RuntimeSettings runtime,
        ReconcilerTuning tuning,
        KubernetesClient client,
        InstantSource clock,
        Observer observer) {}
