import { descriptionOf, type Field, fieldsOf, valueOf, variantsOf } from './fields.ts';
import { code, codes, markdownTable } from './markdown.ts';
import { type JsonSchema, type NamedSchemas, resolve } from './schemas.ts';

/** The contents of an empty cell. */
export const NOTHING = '-';

/** A column of the table of types, with a cell for each type. */
export interface TypeColumn {
  heading: string;
  cells: ReadonlyMap<string, string>;
}

/** The types of a union, with the fields that only some of them have. */
export function typeTable(addition: JsonSchema, named: NamedSchemas, columns: readonly TypeColumn[]): string {
  const variants = variantsOf(addition, named);
  const all = [...variants.values()];
  const isOwn = (name: string) => all.some(({ properties = {} }) => !Object.hasOwn(properties, name));
  return markdownTable(
    ['Type', 'Meaning', ...columns.map(({ heading }) => heading), 'Own fields (bold: required)'],
    [...variants].map(([type, { description = '', properties = {}, required = [] }]) => [
      code(type),
      description,
      ...columns.map(({ cells }) => cells.get(type) ?? NOTHING),
      Object.keys(properties)
        .filter(isOwn)
        .map((name) => (required.includes(name) ? `**${code(name)}**` : code(name)))
        .join(', ') || NOTHING,
    ]),
  );
}

type FieldsByType = readonly (readonly [type: string, fields: ReadonlyMap<string, Field>])[];

/** When an add accepts a field: always, never, or for some types. */
function whenAdded(path: string, types: readonly string[], additions: FieldsByType): string {
  const taking = additions.flatMap(([type, fields]) => {
    const field = fields.get(path);
    return field === undefined ? [] : [{ type, ...field }];
  });
  const [first] = taking;
  if (first === undefined) return NOTHING;
  const { default: standard } = first.schema;
  const otherwise = standard === undefined ? 'optional' : `default ${code(JSON.stringify(standard))}`;
  const must = taking.filter(({ required }) => required).map(({ type }) => type);
  const may = taking.filter(({ required }) => !required).map(({ type }) => type);
  if (taking.length === types.length && may.length === 0) return 'required';
  if (taking.length === types.length && must.length === 0) return otherwise;
  return [
    ...(must.length === 0 ? [] : [`required for ${codes(must)}`]),
    ...(may.length === 0 ? [] : [`${otherwise} for ${taking.length === types.length ? 'others' : codes(may)}`]),
  ].join('; ');
}

/** The fields of an object of any type; fields that all types have are first. */
export function fieldTable(
  { object, addition, change }: { object: JsonSchema; addition: JsonSchema; change: JsonSchema | undefined },
  named: NamedSchemas,
): string {
  const fieldsByType = (schema: JsonSchema) =>
    [...variantsOf(schema, named)].map(([type, variant]) => [type, fieldsOf(variant, named)] as const);
  const objects = fieldsByType(object);
  const additions = fieldsByType(addition);
  const rows = new Map<string, { schema: JsonSchema; types: Set<string> }>();
  for (const [type, fields] of [...objects, ...additions])
    for (const [path, { schema }] of fields) {
      const row = rows.get(path) ?? { schema, types: new Set() };
      rows.set(path, { ...row, types: row.types.add(type) });
    }
  const isCommon = ([, { types }]: [string, { types: ReadonlySet<string> }]) => types.size === objects.length;
  const changing = change === undefined ? undefined : fieldsOf(change, named);
  const discriminator = resolve(object, named).discriminator?.propertyName;
  return markdownTable(
    ['Field', 'Value', 'When added', ...(changing === undefined ? [] : ['Can change']), 'Description'],
    [...[...rows].filter(isCommon), ...[...rows].filter((row) => !isCommon(row))].map(([path, { schema, types }]) => [
      code(path),
      path === discriminator ? 'a type of the table above' : valueOf(schema, named),
      whenAdded(path, [...types], additions),
      ...(changing === undefined ? [] : [changing.has(path) ? 'yes' : NOTHING]),
      descriptionOf(schema, named),
    ]),
  );
}
