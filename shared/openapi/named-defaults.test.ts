import { gzipSync } from 'node:zlib';
import { inventoryDocument } from '../../functions/openapi/document.ts';
import { withNamedDefaults } from './named-defaults.ts';
import { nameOf } from './schemas.ts';
import { serialise } from './serialise.ts';

const document = inventoryDocument('1.2.3');
const served: any = withNamedDefaults(document);
const { schemas } = served.components;

/** Every value in the document, with its path. */
function* walk(value: unknown, path: string[] = []): Generator<[string[], any]> {
  yield [path, value];
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key]);
}

/** The document with each field that has a default in the place where it is used. */
function inlined(value: any): any {
  if (Array.isArray(value)) return value.map(inlined);
  if (typeof value !== 'object' || value === null) return value;
  const target = value.$ref?.startsWith('#/components/schemas/') ? schemas[nameOf(value.$ref)] : undefined;
  if (target !== undefined && 'default' in target) return inlined(target);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner)]));
}

test('the served document contains the operations and objects, and field defaults as components', () => {
  const before: any = JSON.parse(JSON.stringify(document));
  // A reference with a default beside it is replaced by its target with the default.
  for (const [, value] of walk(before))
    if (value?.$ref !== undefined && 'default' in value) {
      const { title: _, ...target } = before.components.schemas[nameOf(value.$ref)];
      delete value.$ref;
      Object.assign(value, { ...target, ...value });
    }
  const after = inlined(JSON.parse(JSON.stringify(served)));
  expect(after.paths).toEqual(before.paths);
  expect(before.components.schemas).toMatchObject(
    Object.fromEntries(Object.entries(after.components.schemas).filter(([, schema]: any) => !('default' in schema))),
  );
});

test('no object field has a default, because generated types would require it', () => {
  const beside = [...walk(served)].filter(
    ([path, value]) => path.at(-2) === 'properties' && typeof value === 'object' && 'default' in value,
  );
  expect(beside).toEqual([]);
  expect(schemas.disabled).toMatchObject({ type: 'boolean', default: false });
  expect(schemas.custom_labels).toMatchObject({ type: 'object', maxProperties: 64, default: {} });
});

test('every reference leads to a component, and every component is used', () => {
  const references = new Set(
    [...walk(served)].flatMap(([, value]) => (typeof value?.$ref === 'string' ? [value.$ref] : [])),
  );
  const components = Object.entries(served.components).flatMap(([section, entries]) =>
    section === 'securitySchemes'
      ? []
      : Object.keys(entries as object).map((name) => `#/components/${section}/${name}`),
  );
  expect([...references].sort()).toEqual(components.sort());
});

test('no two components differ only in characters that identifiers cannot contain', () => {
  const { securitySchemes: _, ...sections } = served.components;
  const names = Object.values(sections).flatMap((entries) => Object.keys(entries as object));
  const identifiers = names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  expect(identifiers).toHaveLength(new Set(identifiers).size);
});

/** Clients download the document with gzip; the site serves it with Brotli, at two thirds of that. */
const MAX_GZIP_BYTES = 60_000;

test('the JSON text has a line for each operation, and at most 60 kB with gzip', () => {
  const text = serialise(served);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(served)));
  expect(text.split('\n').length).toBeGreaterThan(
    Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length,
  );
  expect(gzipSync(text).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
});
