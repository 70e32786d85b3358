/**
 * A caller's script and the form in which it is sent: what was replaced in it, and where places of one lie in the other.
 */
package svc.sqlgate.script;
