/** The log of who ran SQL where. */
package svc.api.management.query.audit;
