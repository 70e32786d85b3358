/** Rate limits of the auth service. */
package svc.auth.limit;
