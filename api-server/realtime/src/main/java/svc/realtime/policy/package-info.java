/** Who may read and write private channels: policies of the project on {@code realtime.messages}. */
package svc.realtime.policy;
