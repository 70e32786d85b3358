/** What projects have open of the realtime service, over all processes. */
package svc.platform.realtime;
