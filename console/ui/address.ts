/** Where the user is: the part of the address behind `#`, which no server ever sees. */
export interface Route {
  /** `#/nodes/<id>/change` has the segments `nodes`, `<id>` and `change`. */
  segments: readonly string[];
  query: Readonly<Record<string, string>>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  return {
    segments: path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** A link to a place of the console. Parts of the query that are undefined or empty are left out. */
export function href(segments: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const search = new URLSearchParams(given).toString();
  return `#/${segments.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}
