/** The log of who ran SQL where. */
package svc.management.query.audit;
