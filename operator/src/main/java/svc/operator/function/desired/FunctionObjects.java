package svc.operator.function.desired;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;

/** The Kubernetes objects of a function, in the order of creation: no pod before its network policy. */
public record FunctionObjects(NetworkPolicy policy, Secret environment, Service service, Deployment deployment) {
    public static FunctionObjects of(DesiredFunction function) {
        return new FunctionObjects(
                FunctionNetwork.policy(function),
                FunctionEnvironment.secret(function),
                FunctionNetwork.service(function),
                FunctionDeployment.of(function));
    }
}
