/**
 * Supabase-style SQL on a project's own names: which tokens of a script are replaced by what, decided on the grammar's tree.
 * Pure. Nothing here protects anybody: what it yields is read again, and the rules of the gate judge that second tree.
 */
package svc.sqlgate.mapping;
