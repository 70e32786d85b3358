/** Sealed secrets: of a project, for mail servers, providers and hooks, and of second factors. */
package svc.auth.secret;
