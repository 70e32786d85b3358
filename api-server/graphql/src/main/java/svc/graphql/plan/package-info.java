/** The plan of an operation: every field checked against the schema. Pure. */
package svc.graphql.plan;
