/** The control plane: what a holder of a personal access token can do. It reaches the operator through resources only. */
package svc.management;
