/** Delivers table changes to the subscribers of this process: filters, privileges, row security. */
package svc.realtime.feed;
