import * as z from 'zod/mini';
import { createClient } from '../../typescript/src/client.ts';
import { nodeFetch } from '../../typescript/src/node.ts';
import type { Client } from '../../typescript/src/operation.ts';
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
  const one = isFields(value) ? value[field] : undefined;
  if (typeof one !== 'string') throw new Error(`The secret has no field ${field} with a text.`);
  return one;
}

/** The most attempts of a request: some 30 s in all. */
const ATTEMPTS = 8;

/** A client whose key is read at its first request. */
export function clientFor({ Url, SecretArn, SecretField, Ca }: Connection, readSecret: ReadSecret): Client {
  let key: Promise<string> | undefined;
  return createClient({
    url: Url,
    key: () => (key ??= readSecret(SecretArn).then((text) => fieldOf(text, SecretField))),
    attempts: ATTEMPTS,
    userAgent: `monitoring-inventory-cdk/${VERSION}`,
    ...(Ca === undefined ? {} : { fetch: nodeFetch({ ca: Ca }) }),
  });
}
