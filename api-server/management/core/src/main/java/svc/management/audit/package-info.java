/** The audit: a row for each call of the SQL endpoint, and for each other change. */
package svc.management.audit;
