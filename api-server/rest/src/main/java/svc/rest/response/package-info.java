/** Last stage: the database's result to an HTTP response. Pure. */
package svc.rest.response;
