/** Attacks of strangers and of tenants, each with a neighbour beside it whose work is measured. */
package svc.bench.siege;
