/** Second factors: enrollment, challenges and verification of TOTP (RFC 6238) and phone factors. */
package svc.auth.mfa;
