/** The page at the end of the redirects, or an address of another origin, which is not requested. */
export interface Visit {
  url: URL;
  /** Undefined for another origin. */
  page: { status: number; text: string } | undefined;
}

/** A browser without scripts: it keeps the cookies of one origin and follows redirects within it. */
export function browserOf(origin: string): (url: URL, form?: URLSearchParams) => Promise<Visit> {
  const cookies = new Map<string, string>();
  return async (address, fields) => {
    let url = address;
    let form = fields;
    while (url.origin === origin) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = form === undefined ? {} : { method: 'POST', body: form };
      const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...sent });
      for (const text of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null) return { url, page: { status: response.status, text: await response.text() } };
      await response.body?.cancel();
      url = new URL(next, url);
      form = undefined;
    }
    return { url, page: undefined };
  };
}
