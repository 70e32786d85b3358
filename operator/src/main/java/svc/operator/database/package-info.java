/** Connection pools of the configured databases, their preparation and background maintenance. JDBC stays in {@code database} packages. */
package svc.operator.database;
