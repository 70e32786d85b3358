/** The SQL both sides share: SQL value types, role and schema names, key material, project schema scripts, shared-database hardening. */
package svc.database;
