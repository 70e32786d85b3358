/** Calls with the service-role key: users, their factors, invitations and generated links. */
package svc.auth.admin;
