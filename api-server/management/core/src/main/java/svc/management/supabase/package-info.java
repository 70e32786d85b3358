/** What Supabase's own programs need beside {@code /v1} as it is: refs of 20 letters, and some answers in their exact shapes. */
package svc.management.supabase;
