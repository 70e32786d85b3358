/** The program of {@code ./svc bench}: the suites by name, and their report. */
package svc.bench;
