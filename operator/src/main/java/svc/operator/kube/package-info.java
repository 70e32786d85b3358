/** The operator's thin ways to the Kubernetes API beyond what the SDK does for it. */
package svc.operator.kube;
