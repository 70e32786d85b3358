/** Last stage: what the database answered as an HTTP answer. Pure. */
package svc.api.rest.response;
