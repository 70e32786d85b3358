/** Sign-up, sign-in and refresh. */
package svc.bench.auth;
