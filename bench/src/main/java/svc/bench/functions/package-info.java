/** Functions: calls, the gateway, deploys. */
package svc.bench.functions;
