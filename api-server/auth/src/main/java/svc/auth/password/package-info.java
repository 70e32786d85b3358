/** What a password must be like, and how it is kept. */
package svc.auth.password;
