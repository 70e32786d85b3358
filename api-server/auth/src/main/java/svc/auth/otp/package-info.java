/** One-time tokens: links and codes by mail and by SMS, their verification, and the confirmation of addresses and numbers. */
package svc.auth.otp;
