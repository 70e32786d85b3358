/** First stage: HTTP request to {@link svc.api.rest.request.ApiRequest}. Pure; knows no schema and no SQL. */
package svc.api.rest.request;
