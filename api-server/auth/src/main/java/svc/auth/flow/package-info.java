/** Flows that leave the application and return with a code: PKCE (RFC 7636) and OAuth's state. */
package svc.auth.flow;
