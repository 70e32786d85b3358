/** JSON of the control plane: strict in what it reads. */
package svc.api.management.json;
