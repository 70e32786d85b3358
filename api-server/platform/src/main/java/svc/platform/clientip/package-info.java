/** Where calls come from, behind the proxies of an installation. */
package svc.platform.clientip;
