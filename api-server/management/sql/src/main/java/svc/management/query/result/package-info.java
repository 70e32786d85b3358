/** Renders PostgreSQL rows as JSON, as PostgreSQL itself would. Pure. */
package svc.management.query.result;
