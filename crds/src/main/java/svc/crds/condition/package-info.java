/**
 * Kubernetes conditions of the three kinds. Pure values: no clock, no random, no client.
 */
package svc.crds.condition;
