/**
 * The whole platform on one machine: {@code ./svc up}. Starts the embedded servers on a data folder, then operator and
 * API server in this same process, and prints the addresses.
 */
package svc.standalone;
