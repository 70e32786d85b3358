/** Opens JDBC connections to databases outside the shared ones. */
package svc.operator.project.connection.database;
