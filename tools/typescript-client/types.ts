import { nameOf, type JsonSchema, type NamedSchemas } from '../../shared/openapi/schemas.ts';
import type { OpenApiDocument } from '../../shared/openapi/specification.ts';
import { comment, type Printer, property, typeName, typeOf } from './schema-types.ts';

/** The names that a value refers to, directly. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): string[] =>
    key === '$ref' && typeof inner === 'string' && inner.includes('/schemas/')
      ? [nameOf(inner)]
      : key === 'mapping'
        ? []
        : referencesIn(inner),
  );
}

function reachable(from: unknown, named: NamedSchemas): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown) => {
    for (const name of referencesIn(value)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(named[name]);
    }
  };
  visit(from);
  return names;
}

const hasValues = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, inner]) => key === 'enum' || key === 'discriminator' || hasValues(inner));

/** Which schemas are named in requests, which in replies, and which differ between both. */
export interface Sides {
  requests: ReadonlySet<string>;
  replies: ReadonlySet<string>;
  request: Printer;
  reply: Printer;
}

export function sidesOf({ paths, components: { schemas } }: OpenApiDocument): Sides {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const requests = reachable(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const replies = reachable(
    [operations.map(({ responses }) => responses), { $ref: '#/components/schemas/Error' }],
    schemas,
  );
  const both = [...requests].filter((name) => replies.has(name));
  // Open values in replies, closed ones in requests: two types.
  const differs = new Set(
    both.filter((name) =>
      hasValues([...reachable(schemas[name], schemas), name].map((schemaName) => schemas[schemaName])),
    ),
  );
  return {
    requests,
    replies,
    request: { isOpen: false, rename: (name) => `${typeName(name)}${differs.has(name) ? 'Input' : ''}` },
    reply: { isOpen: true, rename: typeName },
  };
}

/** An interface to print: its properties as text, by their names. */
interface Shape {
  name: string;
  doc: string;
  fields: ReadonlyMap<string, string>;
  /** Interfaces of which a part can be used: `Pick<AgentOptions, 'tls'>`. */
  pool?: Shape;
}

function fieldsOf({ properties: all = {}, required = [] }: JsonSchema, printer: Printer): Map<string, string> {
  return new Map(
    Object.entries(all).map(([name, propertySchema]) => [
      name,
      property(name, propertySchema, required.includes(name), printer),
    ]),
  );
}

/** The fields that all variants of a union have in common. */
function commonOf([first, ...others]: readonly Shape[]): Map<string, string> {
  const fields = [...(first?.fields ?? [])];
  return new Map(fields.filter(([name, text]) => others.every((other) => other.fields.get(name) === text)));
}

/** The fields that at least two variants of a union have, but not all. */
function optionsOf(name: string, variants: readonly Shape[], common: ReadonlyMap<string, string>): Shape {
  const counts = new Map<string, number>();
  const fields = new Map<string, string>();
  for (const [field, text] of variants.flatMap((variant) => [...variant.fields])) {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (!common.has(field) && count >= 2 && !fields.has(field)) fields.set(field, text);
  }
  return { name, doc: comment('What several variants have.'), fields };
}

interface Declarations {
  /** Declarations of types that are no interfaces, by name. */
  aliases: Map<string, string>;
  shapes: Map<string, Shape>;
}

/** A union, its variants, and the interface with what they have in common. */
function addUnion(
  name: string,
  schema: JsonSchema,
  named: NamedSchemas,
  printer: Printer,
  { aliases, shapes }: Declarations,
): void {
  const renamed = printer.rename(name);
  const variants = (schema.oneOf ?? []).map(({ $ref = '' }): Shape => {
    const variant = named[nameOf($ref)] ?? {};
    return {
      name: printer.rename(nameOf($ref)),
      doc: comment(variant.description),
      fields: fieldsOf(variant, printer),
    };
  });
  const common = commonOf(variants);
  const pool = optionsOf(`${renamed}Options`, variants, common);
  if (pool.fields.size > 0) shapes.set(pool.name, pool);
  for (const variant of variants) shapes.set(variant.name, { ...variant, pool });
  const names = variants.map((variant) => variant.name);
  shapes.set(`${renamed}Fields`, {
    name: `${renamed}Fields`,
    doc: comment(`What every ${renamed} has.`),
    fields: common,
  });
  if (printer.isOpen) {
    const discriminator = schema.discriminator?.propertyName ?? '';
    const fields = new Map([
      ...common,
      [discriminator, `  ${discriminator}: UnknownValue;\n`],
      ['', '  [field: string]: unknown;\n'],
    ]);
    names.push(`Other${renamed}`);
    shapes.set(`Other${renamed}`, {
      name: `Other${renamed}`,
      doc: comment(`A ${renamed} of a type that this version of the client does not know.`),
      fields,
    });
  }
  aliases.set(renamed, `${comment(schema.description)}export type ${renamed} = ${names.join(' | ')};\n`);
}

function addNamed(names: ReadonlySet<string>, named: NamedSchemas, printer: Printer, declarations: Declarations): void {
  const isUnion = (name: string) => named[name]?.discriminator !== undefined;
  // Unions first: they add their variants.
  for (const name of [...names].toSorted((left, right) => Number(isUnion(right)) - Number(isUnion(left)))) {
    const schema = named[name] ?? {};
    const renamed = printer.rename(name);
    const doc = comment(schema.description);
    if (declarations.shapes.has(renamed)) continue;
    if (schema.discriminator !== undefined) addUnion(name, schema, named, printer, declarations);
    else if (schema.type === 'object' && schema.properties !== undefined)
      declarations.shapes.set(renamed, { name: renamed, doc, fields: fieldsOf(schema, printer) });
    else declarations.aliases.set(renamed, `${doc}export type ${renamed} = ${typeOf(schema, printer)};\n`);
  }
}

/** Fewer would make interfaces extend others that have nothing to do with them. */
const LEAST_SHARED = 3;

/**
 * Prints an interface. It extends those that are a part of it: each field is printed once instead of up to six times,
 * which halves the text that a compiler reads.
 */
function printShape(shape: Shape, parts: readonly Shape[]): string {
  const rest = new Map(shape.fields);
  const bases: string[] = [];
  const candidates = parts.filter(({ fields }) => [...fields].every(([name, text]) => shape.fields.get(name) === text));
  for (;;) {
    const covered = ({ fields }: Shape) => [...fields.keys()].filter((name) => rest.has(name)).length;
    const [best] = candidates.toSorted(
      (left, right) => covered(right) - covered(left) || (left.name < right.name ? -1 : 1),
    );
    if (best === undefined || covered(best) < LEAST_SHARED) break;
    bases.push(best.name);
    for (const name of best.fields.keys()) rest.delete(name);
  }
  const { pool } = shape;
  const picked = [...rest].flatMap(([name, text]) => (pool?.fields.get(name) === text ? [name] : []));
  if (pool !== undefined && picked.length > 0) {
    bases.push(`Pick<${pool.name}, ${picked.map((name) => `'${name}'`).join(' | ')}>`);
    for (const name of picked) rest.delete(name);
  }
  const heritage = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`;
  return `${shape.doc}export interface ${shape.name}${heritage} {\n${[...rest.values()].join('')}}\n`;
}

const UNKNOWN_VALUE = `${comment(
  'The type of an object that this version of the client does not know. It is a string like any other: the pattern only\n' +
    'lets a comparison with a known type narrow the object.',
)}export type UnknownValue = \`\${string} (unknown to this client)\`;\n`;

/** The module with the types of all bodies. */
export function typesModule(
  { components: { schemas } }: OpenApiDocument,
  { requests, replies, request, reply }: Sides,
): string {
  const declarations: Declarations = { aliases: new Map([['UnknownValue', UNKNOWN_VALUE]]), shapes: new Map() };
  addNamed(replies, schemas, reply, declarations);
  addNamed(requests, schemas, request, declarations);
  const ordered = [...declarations.shapes.values()].toSorted((left, right) => left.fields.size - right.fields.size);
  const interfaces = ordered.map((shape, index): [string, string] => [
    shape.name,
    printShape(
      shape,
      ordered.slice(0, index).filter(({ fields }) => fields.size < shape.fields.size),
    ),
  ]);
  const used = new Set(
    interfaces.flatMap(([interfaceName, text]) =>
      [...text.matchAll(/\w+Options\b/g)].map(([name]) => name).filter((name) => name !== interfaceName),
    ),
  );
  const printed = interfaces.filter(([name]) => !name.endsWith('Options') || used.has(name));
  const all = [...declarations.aliases, ...printed].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return all.map(([, text]) => text).join('\n');
}
