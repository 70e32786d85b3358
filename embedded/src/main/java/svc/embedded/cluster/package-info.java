/** Kubernetes' own control plane as child processes, for tests and benchmarks that want the real one. */
package svc.embedded.cluster;
