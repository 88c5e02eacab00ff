import * as z from 'zod/mini';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { providerKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

const text = z.exactOptional(z.string());
const texts = z.exactOptional(z.array(z.string()));

/** The fields of a public key that signatures are verified with. Others, such as certificates, are not kept. */
const keySchema = z.object({
  kty: z.string(),
  ...{ kid: text, alg: text, use: text, key_ops: texts },
  ...{ n: text, e: text, crv: text, x: text, y: text },
});

export const keySetSchema = z.object({ keys: z.array(keySchema).check(z.minLength(1), z.maxLength(100)) });

export const issuerKeysSchema = z.object({
  issuer: z.string(),
  jwks: keySetSchema,
  /** Seconds since 1970. */
  fetched_at: z.int(),
});

/** The public keys of an issuer, as it published them at a time. */
export type IssuerKeys = z.output<typeof issuerKeysSchema>;

/** The fields of the OpenID configuration that log-ins of people use. */
const providerMetadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: text,
  end_session_endpoint: text,
  token_endpoint_auth_methods_supported: texts,
  id_token_signing_alg_values_supported: texts,
  authorization_response_iss_parameter_supported: z.exactOptional(z.boolean()),
});

export const providerDocumentsSchema = z.extend(issuerKeysSchema, { metadata: providerMetadataSchema });

/** The configuration that a provider of people publishes, and its public keys. */
export type ProviderDocuments = z.output<typeof providerDocumentsSchema>;

/**
 * The last documents of the provider, if they are of this issuer. One strongly consistent read.
 *
 * @param schema of the kind of the provider: documents of another kind are not returned.
 */
export async function findIssuerDocuments<Documents extends IssuerKeys>(
  table: Table,
  schema: z.ZodMiniType<Documents>,
  { name, issuer }: { name: string; issuer: string },
): Promise<Documents | undefined> {
  const item = await readItem(table, providerKey(name));
  const stored = item === undefined ? undefined : z.safeParse(schema, item).data;
  return stored?.issuer === issuer ? stored : undefined;
}

/** Stores the documents. The last write wins. */
export async function putIssuerDocuments(table: Table, name: string, documents: IssuerKeys): Promise<void> {
  await writeItem(table, { put: { ...providerKey(name), ...documents } });
}
