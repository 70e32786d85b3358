/**
 * Projects in PostgreSQL: the port {@link svc.operator.project.database.ProjectProvisioner} and its one adapter. The pure
 * packages of the database module decide which SQL runs.
 */
package svc.operator.project.database;
