/** The operator's configuration and what reconcilers take from it: intervals, retries, rate limits, master keys. */
package svc.operator.config;
