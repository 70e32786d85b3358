/** Changed rows, and the JSON by which a client gets to know them. Pure. */
package svc.realtime.row;
