/**
 * Migrations: SQL that is applied once, under a version, and stays in the project's history. Counted, judged and audited
 * like every other SQL.
 */
package svc.management.migration;
