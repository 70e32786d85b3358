/** Access tokens, which anybody may check, and refresh tokens, which only a session's row can. */
package svc.auth.token;
