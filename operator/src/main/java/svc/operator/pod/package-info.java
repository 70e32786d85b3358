/** Settings of the pods that the operator makes, shared by functions and realtime sidecars. Pure. */
package svc.operator.pod;
