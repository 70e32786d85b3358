/**
 * The control plane: the API for holders of a personal access token. It reaches the operator only through custom
 * resources.
 */
package svc.management;
