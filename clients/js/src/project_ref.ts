const REF = /^[a-z][a-z0-9]{7}$/;
const PATH = /\/p\/([^/]+)\/?$/;

/**
 * The ref in a project's URL: `https://<ref>.<data_host>`, or `…/p/<ref>` where projects share a host. Undefined for other
 * addresses, such as a domain of the project's own.
 */
export function projectRefOf(url: URL): string | undefined {
  const path = PATH.exec(url.pathname)?.[1];
  if (path !== undefined) return REF.test(path) ? path : undefined;
  const [label, ...rest] = url.hostname.split(".");
  return rest.length > 0 && label !== undefined && REF.test(label) ? label : undefined;
}

/** Whether the text has the form of a project's ref. */
export const isProjectRef = (text: string): boolean => REF.test(text);
