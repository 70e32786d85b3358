/** The signed-in user: profile, password, reauthentication and logout. */
package svc.auth.user;
