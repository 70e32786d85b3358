/** Sign-up: {@code POST /signup} by email, by phone and anonymous. */
package svc.auth.signup;
