/** The SQL statement of a plan. Pure. */
package svc.graphql.query;
