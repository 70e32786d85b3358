/** The audit of SQL calls. */
package svc.management.query.audit;
