/** The HTTP answer. */
package svc.graphql.response;
