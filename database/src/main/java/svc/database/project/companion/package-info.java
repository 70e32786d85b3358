/**
 * The companion schemas of a project as data: tables, columns, functions, policies and grants in PostgreSQL's own spelling,
 * so that what is created, what is compared and what an upgrade adds all come from one description. Pure.
 */
package svc.database.project.companion;
