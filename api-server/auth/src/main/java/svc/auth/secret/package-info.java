/** What the auth service shows to others on behalf of a project: to a mail server, a provider, a hook. */
package svc.auth.secret;
