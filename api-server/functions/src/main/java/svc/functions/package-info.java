/**
 * {@code /functions/v1}: finds the function that a path names, a process of it that is ready, starts one where none is, and
 * passes requests and answers through as they come. Never deploys.
 */
package svc.functions;
