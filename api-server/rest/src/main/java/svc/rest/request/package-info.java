/** First stage: HTTP request to {@link svc.rest.request.ApiRequest}. Pure; knows no schema and no SQL. */
package svc.rest.request;
