/** Personal access tokens: authentication and permissions of the control plane. */
package svc.management.token;
