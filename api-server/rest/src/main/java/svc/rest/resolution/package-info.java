/** What PostgREST makes of names in the schema cache: the relationship that an embedding names, and hints for unknown names. */
package svc.rest.resolution;
