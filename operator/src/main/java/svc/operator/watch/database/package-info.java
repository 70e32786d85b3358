/** The watch's connection to a server: what it reads there, and how it ends processes. */
package svc.operator.watch.database;
