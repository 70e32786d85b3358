/** The last log lines of each edge function, kept in Redis for all instances. */
package svc.functions.log;
