/** Phone numbers and SMS. */
package svc.auth.phone;
