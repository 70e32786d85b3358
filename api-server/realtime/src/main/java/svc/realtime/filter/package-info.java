/** Filters of table changes: what a client writes, and whether a row passes. */
package svc.realtime.filter;
