/** The service {@code /auth/v1}: users and sessions of each project, compatible with GoTrue and {@code @supabase/auth-js}. */
package svc.auth;
