import { shareFields } from './share-fields.ts';
import { shareParameters } from './share-parameters.ts';
import { shareParts } from './share-parts.ts';
import { type NamedSchemas, nameOf } from './schemas.ts';
import type { OpenApiDocument } from './specification.ts';

/**
 * The same document with each repeated part stated once, in `components`. The result is about half as long; `expand` is
 * the inverse.
 */
export function share(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const schemas = withoutTitles(shareParts(components.schemas));
  return withoutUnused(shareParameters(shareFields({ ...document, components: { ...components, schemas } })));
}

/** The API browser shows the title of a schema within a union, and the name of every other schema. */
function withoutTitles(schemas: NamedSchemas): NamedSchemas {
  const members = new Set(
    Object.values(schemas).flatMap(({ oneOf = [] }) => oneOf.map(({ $ref = '' }) => nameOf($ref))),
  );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { title, ...rest }]) => [
      name,
      title !== undefined && members.has(name) ? { title, ...rest } : rest,
    ]),
  );
}

/** Without the schemas that nothing refers to: every use of them has a default, and so refers to another schema. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const used = new Set(referencesIn(document));
  const schemas = Object.entries(components.schemas).filter(([name]) => used.has(name));
  const smaller = { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
  return schemas.length === Object.keys(components.schemas).length ? document : withoutUnused(smaller);
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [nameOf(value.$ref)] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}
