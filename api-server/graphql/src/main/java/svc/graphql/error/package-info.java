/** Errors that answers show. */
package svc.graphql.error;
