/**
 * {@code /functions/v1}: routes a call to a ready process of its function, starts one if there is none, and streams
 * requests and responses. Never deploys.
 */
package svc.functions;
