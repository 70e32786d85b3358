/** Several requests in one transaction, an extension of PostgREST's API: parsing and rendering. Pure. */
package svc.rest.batch;
