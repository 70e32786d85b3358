/**
 * External providers: their protocols, and the validation of their answers. Every call goes through the egress client,
 * whatever address a discovery document names.
 */
package svc.auth.provider;
