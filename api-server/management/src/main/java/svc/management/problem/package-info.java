/** What the control plane answers when a call fails: one closed set of codes, one body (RFC 9457), one mapper. */
package svc.management.problem;
