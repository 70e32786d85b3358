/** JSON of the control plane: strict parsing, merge patches. */
package svc.management.json;
