/** The whole platform as its user has it: a process on a data folder, reached over its sockets alone. */
package svc.e2e.platform;
