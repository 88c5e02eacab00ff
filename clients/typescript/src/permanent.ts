/** Tells failures that no repetition heals from those that pass. The only place of this decision, also for the command line. */
import { InventoryError } from './error.ts';
import type { HttpFetch } from './options.ts';

/** Whether a setting is wrong. Refusals of the server with this status have a status of HTTP. */
export const isWrongSetting = (error: unknown): boolean =>
  error instanceof InventoryError && error.status === 'FAILED_PRECONDITION' && error.http === 0;

/** Whether a later attempt can have another reply than this one. A 429 had no effect. */
export const isPassing = (http: number, isRepeatable: boolean): boolean =>
  http === 429 || (isRepeatable && http > 501 && http < 505);

/**
 * The address of a server in its normal form, without a slash at the end.
 *
 * @param name of the setting.
 * @throws InventoryError that does not show a password.
 */
export function addressOf(text: string, name = 'url'): string {
  try {
    const { href } = new URL(text);
    if (/^https?:..[^?#@]+$/.test(href)) return href.replace(/\/*$/, '');
  } catch {
    // As another scheme.
  }
  throw new InventoryError({ message: `${name} must be such as https://inventory.example.` });
}

/**
 * The same without `/v1` at the end, which each path begins with: for addresses that people state.
 *
 * @throws InventoryError that does not show a password.
 */
export function baseAddressOf(text: string, name: string): string {
  const address = addressOf(text, name);
  // Those of API Gateway end with a stage, which can have this name.
  return /\.execute-api\./.test(address) ? address : address.replace(/\/v1$/, '');
}

/**
 * The key without white space and byte order mark around it.
 *
 * @param name of the setting.
 * @throws InventoryError that does not show the text.
 */
export function keyOf(text: string, name = 'key'): string {
  const key = text.trim();
  if (/^[!-~]+$/.test(key)) return key;
  throw new InventoryError({ message: `${name} is empty, or has a character that no key has.` });
}

/** The message of the network, which the `fetch` of Node wraps, that of a proxy twice. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause ? reasonOf(error.cause) : String(error);

/**
 * The sentence about a request without a usable reply, if no repetition can have one.
 *
 * @param reason the message of the network.
 * @param type the Content-Type of a complete reply that could not be read.
 * @param ca what the program calls the setting with the certificates of authorities.
 */
export function permanentReason(reason: string, type?: string, ca = 'nodeFetch({ ca })'): string | undefined {
  // A cut reply is a part of JSON.
  if (type !== undefined) return /json|^$/.test(type) ? undefined : `is not an inventory: its reply is ${type}`;
  if (/certificate/.test(reason)) return `is not trusted: ${reason}. Use ${ca}; of npm start: DATA_DIR/tls-cert.pem`;
  // The status with which a proxy refuses to connect: `407 Proxy Authentication Required`, `response (407)`.
  return / header |wrong version|40[37][ )]/.test(reason) ? `cannot be called: ${reason}` : undefined;
}

/** A `fetch` whose error about a certificate names the setting of a program. */
export const namingCa =
  (send: HttpFetch, address: string, ca: string): HttpFetch =>
  (url, request) =>
    send(url, request).catch((error: unknown): never => {
      // After a semicolon, Node names an option of its own.
      const reason = reasonOf(error).replace(/;[^]*/, '');
      const why = reason.includes('altnames')
        ? `has a certificate with other names: ${reason}. Use one of them in the address`
        : permanentReason(reason, undefined, ca);
      throw why === undefined ? error : new InventoryError({ message: `${address} ${why}.`, cause: error });
    });
