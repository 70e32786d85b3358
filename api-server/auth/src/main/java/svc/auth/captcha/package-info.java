/** A captcha before calls that programs like to make. */
package svc.auth.captcha;
