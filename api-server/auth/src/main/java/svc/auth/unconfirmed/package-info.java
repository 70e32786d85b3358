/** Accounts whose address or number is not confirmed yet. */
package svc.auth.unconfirmed;
