/** Where users may be sent after a link or a provider: the project's list, and addresses with what came of it. */
package svc.api.auth.redirect;
