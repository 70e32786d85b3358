/** Problems of the control plane (RFC 9457): one closed set of codes, one body. */
package svc.platform.problem;
