/** The part of Go's template language that mails of Supabase projects use, with contextual escaping. */
package svc.auth.mail.template;
