/** Rules and hashes of passwords. */
package svc.auth.password;
