/** Kubernetes API access beyond what the SDK offers: apply, Events, labels, ownership, informer state. */
package svc.operator.kubernetes;
