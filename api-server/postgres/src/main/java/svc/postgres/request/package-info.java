/** What each transaction of a request begins with, under PostgREST's names: settings for policies and functions. */
package svc.postgres.request;
