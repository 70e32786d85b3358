/**
 * PL/pgSQL bodies in a form that their parser reads without a catalog. The parser of the sandbox knows the types of
 * PostgreSQL and no other, and what it makes of a variable depends on whether its type is scalar.
 */
package svc.sqlgate.block;
