import { providerFetch } from '../provider-fetch.ts';

/** Gets a JSON document of an issuer, within the limits of `providerFetch`. */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await providerFetch(url, { headers: { accept: 'application/json' } });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return response.json();
}
