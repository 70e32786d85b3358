/** The service provider interface of the data plane: what a service implements, and what the gateway passes to it. */
package svc.platform.dataplane;
