/** HTTP requests of GraphQL, and the limits on them. */
package svc.graphql.request;
