/** Rows of PostgreSQL as JSON, as PostgreSQL itself would write them. Pure. */
package svc.management.query.result;
