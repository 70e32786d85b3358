/** What a function should have in Kubernetes. Pure: no client, no clock, no random. */
package svc.operator.function.desired;
