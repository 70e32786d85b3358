/**
 * One project's place in a database, as facts that must hold and steps that make them hold. What is desired, what was
 * observed and what follows are values; nothing here opens a connection, reads a clock or a random source.
 */
package svc.database.project;
