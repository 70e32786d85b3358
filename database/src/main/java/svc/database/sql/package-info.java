/**
 * SQL text as values: an identifier, a literal and a fragment cannot be mistaken for each other, and text that came
 * from outside can enter SQL only as one of the first two.
 */
package svc.database.sql;
