/** Codes of authenticator apps (RFC 6238) and how a secret gets into one. */
package svc.auth.mfa;
