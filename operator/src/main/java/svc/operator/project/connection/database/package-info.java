/** Opens connections to databases that are a project's own. */
package svc.operator.project.connection.database;
