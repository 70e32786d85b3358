/**
 * A Kubernetes API for one machine: the entry point is {@link svc.embedded.kubernetes.EmbeddedKubernetes}. It is
 * frozen: its contract is the test suite {@code svc.embedded.kubernetes.contract}.
 *
 * <p>It is a server of its own, on Vert.x and Jackson, and not built on fabric8's mock server. That one lacks what the
 * promises rest on (server-side apply, discovery, Tables, chunked watches, set-based selectors, garbage collection,
 * schemas, persistence), and it keeps objects where none of this could be added from outside: what would have been
 * left of it is a map and an HTTP server.
 *
 * <ul>
 *   <li>{@code store}: committed states, versions, history, the journal. Knows nothing of kinds.
 *   <li>{@code type}: which resources there are, and what each demands; {@code schema}: the schemas of custom ones.
 *   <li>{@code ownership}, {@code patch}, {@code selector}, {@code table}, {@code discovery}: pure.
 *   <li>{@code write}: the semantics of create, update, apply and delete, over the store.
 *   <li>{@code collect}: owner references, deleted namespaces and definitions.
 *   <li>{@code log}: the last lines of pods, kept by the pod runner.
 *   <li>{@code http}: requests, answers, watches.
 * </ul>
 *
 * <p>Not there, and answered as a cluster answers what it does not know: controllers, authorization, admission
 * webhooks, conversion webhooks, {@code exec} subresources, quotas, list chunking. Controllers in the same process use
 * {@link svc.embedded.kubernetes.LocalObjects}.
 */
package svc.embedded.kubernetes;
