/** A name server whose answers, and silence, are known beforehand. */
package svc.embedded.names;
