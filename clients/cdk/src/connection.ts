import * as z from 'zod/mini';
import { createClient } from '../../typescript/src/client.ts';
import { nodeFetch } from '../../typescript/src/node.ts';
import type { Client } from '../../typescript/src/operation.ts';
import type { ClientOptions } from '../../typescript/src/options.ts';
import { baseAddressOf, keyOf, namingCa } from '../../typescript/src/permanent.ts';
import { VERSION } from '../../typescript/src/generated/version.ts';
import { isFields } from './fields.ts';

/** The address of an inventory, and the secret with an API key of it, as properties of a resource. */
export const connectionSchema = z.object({
  Url: z.string(),
  SecretArn: z.string(),
  /** The field of a secret that is a JSON object. */
  SecretField: z.optional(z.string()),
  /** The certificate of an authority in PEM. */
  Ca: z.optional(z.string()),
});

export type Connection = z.output<typeof connectionSchema>;

export type ReadSecret = (arn: string) => Promise<string>;

/** @throws Error that does not repeat the text. */
function fieldOf(text: string, field: string | undefined): string {
  if (field === undefined) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The secret is no JSON, so it has no fields.');
  }
  const fieldText = isFields(value) ? value[field] : undefined;
  if (typeof fieldText !== 'string') throw new Error(`The secret has no field ${field} with a text.`);
  return fieldText;
}

/** The most attempts of a request: some 30 s in all. */
const ATTEMPTS = 8;

/**
 * A client whose key is read at its first request. Its errors name the settings of the constructs.
 *
 * @throws InventoryError if the address, which can be known at deployment only, is none.
 */
export function clientFor(
  { Url, SecretArn, SecretField, Ca }: Connection,
  readSecret: ReadSecret,
  // A function of Lambda has no proxy.
  { fetch = nodeFetch({ ca: Ca, env: {} }), clock }: Pick<ClientOptions, 'fetch' | 'clock'> = {},
): Client {
  const url = baseAddressOf(Url, 'inventory.url');
  let key: Promise<string> | undefined;
  const readKey = async () =>
    keyOf(fieldOf(await readSecret(SecretArn), SecretField), 'The key in inventory.keySecret');
  return createClient({
    url,
    key: () => (key ??= readKey()),
    attempts: ATTEMPTS,
    userAgent: `monitoring-inventory-cdk/${VERSION}`,
    fetch: namingCa(fetch, url, 'inventory.ca'),
    clock,
  });
}
