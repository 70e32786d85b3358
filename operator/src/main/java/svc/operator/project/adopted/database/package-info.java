/** Adopted databases over JDBC. */
package svc.operator.project.adopted.database;
