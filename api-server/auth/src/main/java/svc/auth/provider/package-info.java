/**
 * Sign-in with an account that users have elsewhere: how each kind of provider is spoken to, and what is believed of its
 * answers. Everything goes through the egress client, whatever a discovery document names.
 */
package svc.auth.provider;
