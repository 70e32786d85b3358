/** The OpenAPI document at the root path: OpenAPI 2.0 as PostgREST writes it, and OpenAPI 3.1. */
package svc.rest.openapi;
