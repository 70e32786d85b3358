/** Accounts before the first proof of their address or number. */
package svc.auth.unproved;
