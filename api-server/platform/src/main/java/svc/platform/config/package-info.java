/**
 * How one artifact becomes a control plane, a data plane or both: configuration, roles, and the secrets each role gets.
 */
package svc.platform.config;
