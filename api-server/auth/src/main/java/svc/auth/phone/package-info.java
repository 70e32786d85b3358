/** Numbers of phones, and the messages that go there. */
package svc.auth.phone;
