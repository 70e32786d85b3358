/** The GraphQL API over a project's schema: pg_graphql's schema and answers, one SQL statement an operation. */
package svc.graphql;
