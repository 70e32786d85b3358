/** Rows of PostgreSQL as JSON, as PostgreSQL itself would write them. Pure. */
package svc.api.management.query.result;
