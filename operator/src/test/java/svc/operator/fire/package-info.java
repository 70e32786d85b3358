/** The operator while its own process, the Kubernetes API or another replica fails it. */
package svc.operator.fire;
