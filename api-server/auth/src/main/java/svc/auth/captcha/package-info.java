/** Captchas before calls that bots abuse. */
package svc.auth.captcha;
