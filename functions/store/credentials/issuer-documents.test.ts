import {
  findIssuerDocuments,
  type IssuerKeys,
  issuerKeysSchema,
  keySetSchema,
  providerDocumentsSchema,
  putIssuerDocuments,
} from './issuer-documents.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const issuer = 'https://issuer.example';
const key = { kty: 'RSA', kid: 'k', n: 'n', e: 'AQAB' };
const documents = (fetched_at: number): IssuerKeys => ({ issuer, jwks: { keys: [key] }, fetched_at });
const find = (name: string, of = issuer) => findIssuerDocuments(table, issuerKeysSchema, { name, issuer: of });

test("the last documents are found by the provider's name, and not for another issuer", async () => {
  expect(await find('ci')).toBeUndefined();
  for (const at of [5, 7]) {
    await putIssuerDocuments(table, 'ci', documents(at));
    expect(await find('ci')).toEqual(documents(at));
  }
  expect([await find('ci', 'https://other.example'), await find('other')]).toEqual([undefined, undefined]);
});

test('documents of a provider of programs are separate from those of a provider of people', async () => {
  await putIssuerDocuments(table, 'people', documents(5));
  expect(await findIssuerDocuments(table, providerDocumentsSchema, { name: 'people', issuer })).toBeUndefined();
});

test('a key set has 1 to 100 keys, without fields that signatures do not need', () => {
  const keys = (count: number) => keySetSchema.safeParse({ keys: Array(count).fill({ ...key, x5c: ['certificate'] }) });
  expect([0, 1, 100, 101].map((count) => keys(count).success)).toEqual([false, true, true, false]);
  expect(keys(1).data).toEqual({ keys: [key] });
});
