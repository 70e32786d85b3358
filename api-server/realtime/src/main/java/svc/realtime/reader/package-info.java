/** Reads a database's log in one elected process, and passes the changes on to the processes that serve the projects. */
package svc.realtime.reader;
