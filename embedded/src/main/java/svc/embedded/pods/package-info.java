/**
 * Runs the Deployments of edge functions as processes of this machine: {@link svc.embedded.pods.PodRunner} is the way in.
 *
 * <ul>
 *   <li>{@code WantedPods}: what a Deployment asks for. {@code RolloutPlan}: what to start and to stop. Both pure.
 *   <li>{@code Rollout}: one Deployment's pods, brought to what is wanted one event after the other.
 *   <li>{@code FunctionProcess}, {@code RunCommand}: one process, and how it is started.
 *   <li>{@code Confinement}, {@code ControlGroups}, {@code MemoryWatch}: as whom a process runs, and what it may use.
 *   <li>{@code PodDocuments}: Pods, EndpointSlices and statuses, as Kubernetes' own controllers would write them.
 *   <li>{@code GatewaySocket}: the way from a function to its project's address.
 * </ul>
 *
 * <p>It knows the embedded Kubernetes API and the programs in {@code sandbox/run}, and nothing of operator or gateway.
 */
package svc.embedded.pods;
