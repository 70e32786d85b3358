/** Calls that a client may send again under one Idempotency-Key: they run once, and a repetition gets the first answer. */
package svc.management.idempotency;
