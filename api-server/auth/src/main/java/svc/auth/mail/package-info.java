/** Mails to users: their texts, their limits, and the servers that send them. */
package svc.auth.mail;
