/** Error responses of the control plane: one closed set of codes, one body (RFC 9457), one mapper. */
package svc.management.problem;
