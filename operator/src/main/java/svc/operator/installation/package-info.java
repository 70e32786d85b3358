/** What the operator creates once for the whole installation: the custom resource definitions and the platform's Secrets. */
package svc.operator.installation;
