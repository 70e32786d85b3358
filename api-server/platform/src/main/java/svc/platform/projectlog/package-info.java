/** The way of lines into the projects' logs: offered by services, bounded, shipped through Redis to the control plane. */
package svc.platform.projectlog;
