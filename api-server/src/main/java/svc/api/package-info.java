/** Control plane, data plane and realtime sidecar: one artifact, roles by configuration. */
package svc.api;
