/** A page that asks the GraphQL APIs of one machine's projects, for development. */
package svc.embedded.graphql;
