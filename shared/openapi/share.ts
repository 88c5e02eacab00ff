import { shareFields } from './share-fields.ts';
import { shareParameters } from './share-parameters.ts';
import { shareParts } from './share-parts.ts';
import { nameOf } from './schemas.ts';
import type { OpenApiDocument } from './specification.ts';

/**
 * The same document with each repeated part stated once, in `components`. The result is about half as long; `expand` is
 * the inverse.
 */
export function share(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const schemas = shareParts(components.schemas);
  return withoutUnused(shareParameters(shareFields({ ...document, components: { ...components, schemas } })));
}

/** Without the schemas that nothing refers to: every use of them has a default, and so another schema. */
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
