/** Who is present on a topic, over all processes of a project. */
package svc.realtime.presence;
