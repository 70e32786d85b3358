/**
 * What all suites share: figures and their report, samples, load generators, peers' servers, and access to what is measured. A
 * comparison with a peer is the median of five runs in which the two take turns, so that what else the machine does falls on
 * both.
 */
package svc.bench.measure;
