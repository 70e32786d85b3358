/** Go's template language, as far as mails of Supabase projects use it, escaped for the place in the HTML. */
package svc.auth.mail.template;
