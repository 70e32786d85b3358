/** Messages of Phoenix channels as they stand in frames, in both serializers of realtime-js. */
package svc.realtime.message;
