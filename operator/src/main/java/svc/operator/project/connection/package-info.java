/** Connections to databases outside the shared ones. */
package svc.operator.project.connection;
