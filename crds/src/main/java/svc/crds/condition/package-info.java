/**
 * What is known of a resource, as Kubernetes conditions. Pure values: no clock, no random, no client.
 */
package svc.crds.condition;
