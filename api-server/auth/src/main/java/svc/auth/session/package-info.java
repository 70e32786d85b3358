/** Sessions of users: the caller of a request with an access token, and the tokens that a sign-in is answered with. */
package svc.auth.session;
