/** References to other objects. References have no namespace field: they never leave the namespace of their object. */
package svc.crds.reference;
