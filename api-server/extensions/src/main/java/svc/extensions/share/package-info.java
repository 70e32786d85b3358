/** What the work of all databases of a process shares: its places, and its end. */
package svc.extensions.share;
