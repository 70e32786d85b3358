/** One worker for each shared database, in the process that leads there. */
package svc.extensions.worker;
