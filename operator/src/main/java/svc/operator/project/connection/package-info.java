/** How to reach a database that is a project's own. */
package svc.operator.project.connection;
