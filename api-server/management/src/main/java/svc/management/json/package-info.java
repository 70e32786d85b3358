/** JSON of the control plane: strict in what it reads. */
package svc.management.json;
