/** The GraphQL schema that a role sees: entities, names, types and privileges. */
package svc.graphql.schema;
