/** Several requests in one transaction: an extension of PostgREST's API. What is read and written here is pure. */
package svc.rest.batch;
