/** The way from the gateway to the realtime sidecars of projects with a dedicated database. */
package svc.realtime.sidecar;
