/**
 * Projects in PostgreSQL: the port {@link svc.operator.project.database.ProjectProvisioner} and its one adapter. The only package
 * of the operator that opens connections; what SQL to run is decided by the pure packages of the database module.
 */
package svc.operator.project.database;
