/** Transactions of tenants: a clean session, settings, one main query and the end in one network flush (DESIGN §7). */
package svc.postgres.flush;
