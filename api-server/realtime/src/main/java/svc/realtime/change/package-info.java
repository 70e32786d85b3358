/** Table changes: what a channel asks for, and which committed change reaches it. */
package svc.realtime.change;
