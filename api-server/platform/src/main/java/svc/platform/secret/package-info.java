/** Values of Secrets that projects reference. */
package svc.platform.secret;
