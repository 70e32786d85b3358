/**
 * REST over a project's schema. The packages are PostgREST's stages (request, plan, query, response) and resolution, error,
 * openapi and batch. {@link svc.rest.RestRequestHandler} is the table of contents.
 */
package svc.rest;
