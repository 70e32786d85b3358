/** First stage: an HTTP request to an {@link svc.rest.request.ApiRequest}. Pure; no schema, no SQL. */
package svc.rest.request;
