/** The links in responses of the app, resolved against the path of the request (RFC 3986 §5, RFC 8288 §3, RFC 9110 §10.2.2). */

/** The path and query of the next page of a list. Undefined on the last page. */
export const nextPath = (response: Response, path: string): string | undefined => {
  const target = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  return target === undefined ? undefined : resolvePath(target, path);
};

/** The path in `Location`. */
export const locatedPath = (response: Response, path: string): string =>
  resolvePath(response.headers.get('location') ?? '', path);

const resolvePath = (reference: string, path: string): string => {
  const { origin, pathname, search } = new URL(reference, `${base}${path}`);
  if (origin !== base) throw new Error(`${reference} is a link to another host`);
  return pathname + search;
};

const base = 'https://plants.example';
