/** Personal access tokens: who calls the control plane and what they may do. */
package svc.management.token;
