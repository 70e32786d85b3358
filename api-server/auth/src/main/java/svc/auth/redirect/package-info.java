/** Redirects at the end of flows: which are allowed, and their parameters. */
package svc.auth.redirect;
