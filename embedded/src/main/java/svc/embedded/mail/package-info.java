/** A mail server that keeps what it is given, for tests and for one machine, and a page that shows it. */
package svc.embedded.mail;
