/** Sign-in with external providers: authorization, callback, ID tokens, and linked identities. */
package svc.auth.external;
