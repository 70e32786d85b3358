/** Which projects exist, as the Kubernetes API tells it; watched, never polled, and never written from here. */
package svc.platform.tenancy;
