/**
 * The figures of DESIGN §10, measured. Each is one {@link svc.e2e.bench.Figure}; a comparison with a peer is the median of
 * five runs in which the two take turns, so that what else the machine does falls on both.
 */
package svc.e2e.bench;
