/** Requests, routes, answers, and the closed set of error codes. */
package svc.auth.http;
