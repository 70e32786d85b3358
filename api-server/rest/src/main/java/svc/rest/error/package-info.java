/** PostgREST's errors: code, message, details, hint and status, in one place. */
package svc.rest.error;
