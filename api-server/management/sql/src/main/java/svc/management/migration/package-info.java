/**
 * Migrations: SQL that is applied once, under a version, and recorded in the project's history. Counted, checked and
 * audited like every other SQL.
 */
package svc.management.migration;
