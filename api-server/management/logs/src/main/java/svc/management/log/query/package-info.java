/** The SQL of log queries: PostgreSQL's grammar reads it, and a statement of our own is made of the few parts that are known. Pure. */
package svc.management.log.query;
