import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, nameOf } from '../shared/openapi/schemas.ts';
import type { OpenApiDocument } from '../shared/openapi/specification.ts';
import { sidesOf } from './typescript-client/types.ts';

/** A variant with the fields that all variants have in common; it can have any other field. */
function otherVariant(name: string, property: string, variants: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = variants;
  const shared = Object.entries(first.properties ?? {}).filter(([field, schema]) =>
    others.every(({ properties = {} }) => isDeepStrictEqual(properties[field], schema)),
  );
  const required = (first.required ?? []).filter((field) => shared.some(([candidate]) => candidate === field));
  return {
    title: name,
    type: 'object',
    description: 'An object of a type that this version of the client does not know.',
    required: [property, ...required],
    properties: { [property]: { type: 'string', description: 'The type.' }, ...Object.fromEntries(shared) },
    additionalProperties: true,
  };
}

/**
 * The document with one more variant in each union of a reply: the types of a later server. A generator that knows only closed
 * unions then reads such an object instead of refusing the whole reply.
 */
export function withOpenUnions(document: OpenApiDocument): OpenApiDocument {
  const { requests, replies } = sidesOf(document);
  const { schemas } = document.components;
  const open = Object.entries(schemas).flatMap(([name, schema]): [string, JsonSchema][] => {
    const { oneOf, discriminator } = schema;
    if (oneOf === undefined || discriminator === undefined || !replies.has(name) || requests.has(name)) return [];
    const other = `Other_${name.toLowerCase()}`;
    const variants = oneOf.map(({ $ref = '' }) => schemas[nameOf($ref)] ?? {});
    return [
      [name, { ...schema, oneOf: [...oneOf, { $ref: `#/components/schemas/${other}` }] }],
      [other, otherVariant(other, discriminator.propertyName, variants)],
    ];
  });
  return { ...document, components: { ...document.components, schemas: { ...schemas, ...Object.fromEntries(open) } } };
}
