/** How often things of the auth service may be tried. */
package svc.api.auth.limit;
