import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** The names of this machine for itself, which every certificate has, in this order. */
const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
// The last label is no number: such a name would be an address.
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`, 'i');

export const TLS_NAMES_WANTED = 'DNS names without wildcards and IP addresses, separated by commas';

/** One spelling of each name: IPv6 addresses have several. */
const canonical = (name: string): string =>
  isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();

/** Whether a certificate can have this name: a DNS name, or an IP address without a zone. */
export const isCertificateName = (name: string): boolean =>
  isIP(name) === 0 ? DNS_NAME.test(name) : !name.includes('%');

/** The names in a text, separated by commas; undefined if one of them is not a name. */
export function parseCertificateNames(text: string): string[] | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.every(isCertificateName) ? names : undefined;
}

/** The names of the certificate of a server that others reach under these names too, each once. */
export const allNames = (names: readonly string[]): string[] => [...new Set([...OWN_NAMES, ...names].map(canonical))];

/** The names in a certificate, as Node prints them: https://nodejs.org/api/crypto.html#x509subjectaltname */
export const namesIn = ({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] =>
  subjectAltName.split(', ').map((name) => canonical(name.replace(/^(DNS|IP Address):/, '')));

/** The names in the form of the generator: RFC 5280, 4.2.1.6. */
export const subjectAltNames = (names: readonly string[]) =>
  names.map((name) => (isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name }));

/** Whether a certificate begins with the names that every certificate of this server has. */
export const hasOwnNames = (certificate: Pick<X509Certificate, 'subjectAltName'>): boolean =>
  namesIn(certificate).slice(0, OWN_NAMES.length).join() === OWN_NAMES.join();
