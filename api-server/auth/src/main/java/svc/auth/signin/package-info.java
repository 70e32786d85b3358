/** {@code POST /token}: the grants {@code password}, {@code refresh_token} and {@code pkce}. */
package svc.auth.signin;
