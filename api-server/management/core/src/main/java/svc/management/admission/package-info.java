/** Which calls of the control plane may send a body, and the memory that it takes. */
package svc.management.admission;
