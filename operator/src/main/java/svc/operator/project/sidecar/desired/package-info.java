/** The Kubernetes objects of a realtime sidecar. Pure. */
package svc.operator.project.sidecar.desired;
