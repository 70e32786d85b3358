/**
 * Supabase-style SQL on a project's own names: which tokens of a script are replaced by what, decided on the grammar's
 * tree. Pure. It protects nothing: what it yields is read again, and the rules of the gate judge that second tree.
 */
package svc.sqlgate.mapping;
