/** Processes that the data plane starts when they are needed, and stops when they are not: their Deployments and addresses. */
package svc.platform.workload;
