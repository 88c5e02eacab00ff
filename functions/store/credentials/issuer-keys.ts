import * as z from 'zod/mini';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { providerKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

const text = z.exactOptional(z.string());

/** The fields of a public key that signatures are verified with. Others, such as certificates, are not kept. */
const keySchema = z.object({
  kty: z.string(),
  ...{ kid: text, alg: text, use: text, key_ops: z.exactOptional(z.array(z.string())) },
  ...{ n: text, e: text, crv: text, x: text, y: text },
});

export const keySetSchema = z.object({ keys: z.array(keySchema).check(z.minLength(1), z.maxLength(100)) });

const issuerKeysSchema = z.object({
  issuer: z.string(),
  jwks: keySetSchema,
  /** Seconds since 1970. */
  fetched_at: z.int(),
});

/** The public keys of an issuer, as it published them at a time. */
export type IssuerKeys = z.output<typeof issuerKeysSchema>;

/** The last keys of the provider, if they are of this issuer. One strongly consistent read. */
export async function findIssuerKeys(table: Table, name: string, issuer: string): Promise<IssuerKeys | undefined> {
  const item = await readItem(table, providerKey(name));
  const stored = item === undefined ? undefined : z.safeParse(issuerKeysSchema, item).data;
  return stored?.issuer === issuer ? stored : undefined;
}

/** Stores the keys. The last write wins. */
export async function putIssuerKeys(table: Table, name: string, keys: IssuerKeys): Promise<void> {
  await writeItem(table, { put: { ...providerKey(name), ...keys } });
}
