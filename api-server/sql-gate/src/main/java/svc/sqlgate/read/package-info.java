/** A script as PostgreSQL's grammar reads it, with the texts inside of its functions and blocks. */
package svc.sqlgate.read;
