/** Sign-ins that leave the application and come back to it with a code: PKCE (RFC 7636). */
package svc.auth.flow;
