/** Where users may be sent when a flow ends, and what is written into that address. */
package svc.auth.redirect;
