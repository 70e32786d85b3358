/** Access tokens, refresh tokens and one-time tokens, and the keys that sign them. */
package svc.auth.token;
