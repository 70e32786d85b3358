/** Child processes that run hostile input: one pool, and limits on processor time, wall time and memory. */
package svc.platform.process;
