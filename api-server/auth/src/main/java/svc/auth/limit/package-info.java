/** How often things of the auth service may be tried. */
package svc.auth.limit;
