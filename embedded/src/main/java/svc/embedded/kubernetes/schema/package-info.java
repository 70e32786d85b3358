/**
 * Admission of a custom resource before it is stored: prune unknown fields, apply the schema's
 * defaults, validate the structural schema, and run the CEL rules. Everything is compiled once per definition.
 */
package svc.embedded.kubernetes.schema;
