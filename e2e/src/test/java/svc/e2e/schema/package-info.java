/** Schemas as the command line writes them down, held against the server's own catalog. */
package svc.e2e.schema;
