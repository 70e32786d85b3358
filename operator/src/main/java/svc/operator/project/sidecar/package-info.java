/** The realtime sidecars of projects with a dedicated database. */
package svc.operator.project.sidecar;
