/** The operator: provisioning, readiness, a fleet of Projects, its failures and hand-overs, the embedded Kubernetes API. */
package svc.bench.operator;
