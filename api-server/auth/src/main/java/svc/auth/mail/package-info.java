/** Mails to users: what they say, how often they go out, and the servers that take them. */
package svc.auth.mail;
