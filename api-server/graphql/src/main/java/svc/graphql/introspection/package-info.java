/** Answers to introspection, from the same schema as the plans. */
package svc.graphql.introspection;
