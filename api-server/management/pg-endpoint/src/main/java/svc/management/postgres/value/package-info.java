/** Types and formats of values in PostgreSQL's protocol. Pure. */
package svc.management.postgres.value;
