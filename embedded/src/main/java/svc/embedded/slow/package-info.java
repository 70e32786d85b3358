/** Servers that answer, and never finish: fixtures for the limits of outgoing calls. */
package svc.embedded.slow;
