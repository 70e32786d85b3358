/** The last log lines of each edge function, stored in Redis for all instances. */
package svc.functions.log;
