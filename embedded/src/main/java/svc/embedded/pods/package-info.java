/**
 * Runs the Deployments of edge functions as processes of this machine: the entry point is {@link svc.embedded.pods.PodRunner}.
 *
 * <ul>
 *   <li>{@code DesiredPods}: the desired state of a Deployment. {@code RolloutPlan}: which pods to start and to stop. Both pure.
 *   <li>{@code Rollout}: reconciles one Deployment's pods, event by event.
 *   <li>{@code FunctionProcess}, {@code RunCommand}: one process, and how it is started.
 *   <li>{@code Confinement}, {@code ControlGroups}, {@code MemoryWatch}: the user and the limits of a process.
 *   <li>{@code PodDocuments}: Pods, EndpointSlices and statuses, as Kubernetes' own controllers would write them.
 *   <li>{@code FunctionGateway}, {@code GatewaySocket}: the egress of functions to their project's address, and its limits.
 * </ul>
 *
 * <p>It knows the embedded Kubernetes API and the programs in {@code sandbox/run}, and nothing of operator or gateway.
 */
package svc.embedded.pods;
