/** The adapter of {@link svc.operator.project.dedicated.DedicatedDatabase} to PostgreSQL. */
package svc.operator.project.dedicated.database;
