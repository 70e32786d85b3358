/** Last stage: what the database answered as an HTTP answer. Pure. */
package svc.rest.response;
