/** Users and sessions of each project, {@code /auth/v1}: what {@code @supabase/auth-js} expects of GoTrue. */
package svc.auth;
