/** Errors as PostgREST answers them: code, message, details, hint and status, in one place. */
package svc.rest.error;
