/** A mail catcher for tests and for one machine, and a page that shows the mails. */
package svc.embedded.mail;
