/** LISTEN: schema changes of projects as hints; the version row stays the truth (DESIGN §4, rule 5). */
package svc.postgres.listen;
