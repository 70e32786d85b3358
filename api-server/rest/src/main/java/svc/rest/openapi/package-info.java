/** The description of the API that its root answers: OpenAPI 2.0 as PostgREST writes it, and OpenAPI 3.1. */
package svc.rest.openapi;
