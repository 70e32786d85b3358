/** References to other objects. None has a namespace: a reference never leaves the namespace of the object it is in. */
package svc.crds.reference;
