import { gzipSync } from 'node:zlib';
import { inventoryDocument } from '../../functions/openapi/document.ts';
import { expand } from './expand.ts';
import { nameOf } from './schemas.ts';
import { serialise } from './serialise.ts';
import { share } from './share.ts';

const document = inventoryDocument('1.2.3');
const shared = share(document);

/** Every value in the document, with its path. */
function* walk(value: unknown, path: string[] = []): Generator<[string[], any]> {
  yield [path, value];
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key]);
}

test('the document with shared parts says exactly what the document says', () => {
  expect(expand(shared)).toEqual(expand(document));
});

test('the comparison would notice a part that says something else', () => {
  const other: any = structuredClone(shared);
  other.components.schemas.listen_port.maximum = 1;
  expect(expand(other)).not.toEqual(expand(document));
});

test('expanding twice is expanding once', () => {
  const once = expand(shared);
  expect(expand(once)).toEqual(once);
});

test('every reference leads somewhere, and nothing is there that nobody refers to', () => {
  const references = new Set(
    [...walk(shared)].flatMap(([, value]) => (typeof value?.$ref === 'string' ? [value.$ref] : [])),
  );
  const there = Object.entries(shared.components).flatMap(([section, entries]) =>
    section === 'securitySchemes' ? [] : Object.keys(entries).map((name) => `#/components/${section}/${name}`),
  );
  expect([...references].sort()).toEqual(there.sort());
});

test('no two components of any section differ only in what an identifier cannot hold', () => {
  const { securitySchemes: _, ...sections } = shared.components;
  const names = Object.values(sections).flatMap((entries) => Object.keys(entries));
  const identifiers = names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  expect(identifiers).toHaveLength(new Set(identifiers).size);
});

test('no field has a default beside it: generated types would require it', () => {
  const beside = [...walk(shared.components.schemas)].filter(
    ([path, value]) => path.at(-2) === 'properties' && typeof value === 'object' && 'default' in value,
  );
  expect(beside).toEqual([]);
});

test('what an object takes in has its fields in parts or beside none: generators look at one of the two', () => {
  const { schemas } = shared.components;
  const takenIn = Object.values(schemas).flatMap(({ allOf = [] }) => allOf.flatMap(({ $ref }) => $ref ?? []));
  expect(takenIn.length).toBeGreaterThan(0);
  for (const name of new Set(takenIn.map(nameOf)))
    expect([name, schemas[name]!.allOf !== undefined && schemas[name]!.properties !== undefined]).toEqual([
      name,
      false,
    ]);
});

/** Clients download the document with gzip. */
const MAX_GZIP_BYTES = 60_000;

test('the text is JSON, has a line for each operation, and has at most 60 kB with gzip', () => {
  const text = serialise(shared);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(shared)));
  expect(text.split('\n').length).toBeGreaterThan(
    Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length,
  );
  expect(gzipSync(text).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
});
