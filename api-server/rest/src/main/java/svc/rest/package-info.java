/**
 * REST over a project's schema. The packages are PostgREST's stages: request, plan, query, response; beside them schema and
 * error. {@link svc.rest.RestRequestHandler} is the table of contents.
 */
package svc.rest;
