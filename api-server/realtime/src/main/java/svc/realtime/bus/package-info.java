/** Messages of one project between pods, over Redis. */
package svc.realtime.bus;
