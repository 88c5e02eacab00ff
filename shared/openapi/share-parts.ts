import { type JsonSchema, type NamedSchemas, nameOf, schemaReference } from './schemas.ts';

/** A part with fewer fields would add an indirection without saving space. */
const MIN_FIELDS = 2;

/** Objects with fewer fields have them in common by chance. */
const MIN_BASE_FIELDS = 5;

/** Every form refers to such a part: with fewer fields, the references would be longer than the fields. */
const MIN_COMMON_FIELDS = 5;

/**
 * Moves the fields that several objects share to parts, which these objects include by `allOf`: first the fields that
 * all forms of one type have (added, read, imported, ...), then those that all types of one form have.
 */
export function shareParts(named: NamedSchemas): NamedSchemas {
  const schemas: Record<string, JsonSchema> = { ...named };
  extendBases(schemas);
  for (const [name, members] of unions(schemas)) takeOutOfAllForms(schemas, name, members);
  for (const members of formsByType(schemas)) {
    const base = members.find((name) => members.every((other) => other.endsWith(name)));
    if (base === undefined) continue;
    const own = members.filter((name) => !extendsOther(schemas[name]));
    const description = schemas[base]?.description ?? '';
    takeOutOf(schemas, own, { part: partOf(base), description, least: MIN_FIELDS, isOfType: true });
  }
  for (const [name, members] of unions(schemas)) {
    takeOut(schemas, members, partOf(name), `Fields of every type of ${name}.`);
    takeOutOfMost(schemas, name, members);
    if (members.every((member) => extendsOther(schemas[member])))
      takeOutOf(schemas, members, {
        part: partOf(name),
        description: `Fields that every type of ${name} adds.`,
        least: 1,
      });
  }
  for (const name of Object.values(schemas).flatMap(({ allOf = [] }) => allOf.flatMap(({ $ref }) => $ref ?? [])))
    foldIn(schemas, nameOf(name));
  return schemas;
}

/**
 * When an object includes another one that has parts itself, some generators see only the parts. So its own fields
 * become a part. The required fields of its other parts are stated beside them, where generators look for them.
 */
function foldIn(schemas: Record<string, JsonSchema>, name: string): void {
  const { allOf, properties, required = [], ...rest } = schemas[name] ?? {};
  if (allOf === undefined || properties === undefined) return;
  const own = required.filter((field) => Object.hasOwn(properties, field));
  const others = required.filter((field) => !Object.hasOwn(properties, field));
  schemas[name] = {
    ...rest,
    allOf: [...allOf, { type: 'object', ...(own.length === 0 ? {} : { required: own }), properties }],
    ...(others.length === 0 ? {} : { required: others }),
  };
}

/** The fields that every form of every type has, if they are numerous. */
function takeOutOfAllForms(schemas: Record<string, JsonSchema>, union: string, bases: readonly string[]): void {
  const forms = formsByType(schemas).filter((names) => names.some((name) => bases.includes(name)));
  const isOfBases = forms.every((names) => bases.some((base) => names.every((name) => name.endsWith(base))));
  if (!isOfBases) return;
  const description = `Fields of every form of every ${union}.`;
  takeOutOf(
    schemas,
    forms.flat().filter((name) => !extendsOther(schemas[name])),
    {
      part: `${union}_common_fields`,
      description,
      least: MIN_COMMON_FIELDS,
    },
  );
}

const partOf = (name: string) => `${name}_fields`;

/** The members of each union with a discriminator. */
function unions(schemas: NamedSchemas): [name: string, members: string[]][] {
  return Object.entries(schemas).flatMap(([name, { discriminator }]) =>
    discriminator?.mapping === undefined ? [] : [[name, Object.values(discriminator.mapping).map(nameOf)]],
  );
}

/** The objects with the same value of the discriminator: the forms of one type. */
function formsByType(schemas: NamedSchemas): string[][] {
  const forms = new Map<string, Set<string>>();
  for (const { discriminator } of Object.values(schemas))
    for (const [type, reference] of Object.entries(discriminator?.mapping ?? {})) {
      const key = `${discriminator?.propertyName ?? ''} ${type}`;
      forms.set(key, (forms.get(key) ?? new Set()).add(nameOf(reference)));
    }
  return [...forms.values()].map((names) => [...names]);
}

/** Requests have defaults, replies do not; the shared field has the default. */
function withoutDefault({ default: _, ...rest }: JsonSchema): string {
  return JSON.stringify(rest);
}

const isOpen = ({ additionalProperties, allOf }: JsonSchema) =>
  additionalProperties === undefined && allOf === undefined;

/**
 * Moves the fields that most but not all members have: the most frequent field, and those that occur together with it.
 */
function takeOutOfMost(schemas: Record<string, JsonSchema>, union: string, members: readonly string[]): void {
  const owners = new Map<string, { field: string; names: string[] }>();
  for (const name of members)
    for (const [field, value] of Object.entries(schemas[name]?.properties ?? {})) {
      const key = `${field} ${withoutDefault(value)}`;
      owners.set(key, { field, names: [...(owners.get(key)?.names ?? []), name] });
    }
  const frequent = [...owners.values()].filter(({ names }) => names.length > 2 && names.length * 2 >= members.length);
  for (const { field, names } of frequent.toSorted((left, right) => right.names.length - left.names.length))
    takeOut(schemas, names, `${union}_${field}_fields`, `Fields of every ${union} with \`${field}\`.`);
}

/** An object with all fields of another one, and more, becomes an extension of it. */
function extendBases(schemas: Record<string, JsonSchema>): void {
  const open = Object.entries(schemas).filter(([, schema]) => schema.properties !== undefined && isOpen(schema));
  const bySize = open.toSorted(([, left], [, right]) => sizeOf(right) - sizeOf(left));
  for (const [name, schema] of bySize) {
    const base = bySize.find(([, other]) => sizeOf(other) < sizeOf(schema) && contains(schema, other));
    if (base === undefined) continue;
    const [baseName, { properties: fields = {}, required: always = [], description: baseDescription }] = base;
    const { properties = {}, required = [], description, type: _, ...rest } = schema;
    schemas[name] = {
      ...rest,
      ...(description === undefined || description === baseDescription ? {} : { description }),
      allOf: [schemaReference(baseName)],
      ...remaining({ properties, required }, Object.keys(fields), always),
    };
  }
}

const sizeOf = ({ properties = {} }: JsonSchema) => Object.keys(properties).length;

function contains({ properties = {}, required = [] }: JsonSchema, smaller: JsonSchema): boolean {
  const { properties: fields = {}, required: always = [] } = smaller;
  const isThere = ([name, value]: [string, JsonSchema]) => JSON.stringify(properties[name]) === JSON.stringify(value);
  return (
    sizeOf(smaller) >= MIN_BASE_FIELDS &&
    Object.entries(fields).every(isThere) &&
    always.every((name) => required.includes(name))
  );
}

function remaining(
  { properties, required }: { properties: Record<string, JsonSchema>; required: readonly string[] },
  fields: readonly string[],
  always: readonly string[],
): JsonSchema {
  const left = Object.entries(properties).filter(([name]) => !fields.includes(name));
  const demanded = required.filter((name) => !always.includes(name));
  return {
    ...(demanded.length === 0 ? {} : { required: demanded }),
    ...(left.length === 0 ? {} : { properties: Object.fromEntries(left) }),
  };
}

/** An object that extends another one already has its shared fields. */
const extendsOther = (schema: JsonSchema | undefined) =>
  schema?.allOf?.some(({ $ref = '' }) => !$ref.endsWith('_fields')) === true;

function takeOut(schemas: Record<string, JsonSchema>, names: readonly string[], part: string, description: string) {
  const own = names.filter((name) => !extendsOther(schemas[name]));
  takeOutOf(schemas, own, { part, description, least: MIN_FIELDS });
}

interface Part {
  part: string;
  description: string;
  /** The minimum number of fields. */
  least: number;
  /** The part contains the common fields of the forms of one type, and describes them. */
  isOfType?: boolean;
}

/** Moves the common fields of the members to a part with this name, if they are enough. Modifies `schemas`. */
function takeOutOf(
  schemas: Record<string, JsonSchema>,
  names: readonly string[],
  { part, description, least, isOfType = false }: Part,
): void {
  const members = names.flatMap((name): [string, JsonSchema][] => {
    const schema = schemas[name];
    return schema?.properties === undefined ? [] : [[name, schema]];
  });
  const [first, ...others] = members.map(([, schema]) => schema);
  if (first === undefined || others.length === 0 || Object.hasOwn(schemas, part)) return;
  const common = Object.entries(first.properties ?? {}).flatMap(([name, value]): [string, JsonSchema][] => {
    const all = [
      value,
      ...others.flatMap(({ properties = {} }): JsonSchema[] =>
        properties[name] === undefined ? [] : [properties[name]],
      ),
    ];
    const isSame = all.length === members.length && new Set(all.map(withoutDefault)).size === 1;
    const defaults = new Set(all.flatMap((one) => ('default' in one ? [JSON.stringify(one.default)] : [])));
    return isSame && defaults.size <= 1 ? [[name, all.find((one) => 'default' in one) ?? value]] : [];
  });
  if (common.length < least) return;
  const fields = common.map(([name]) => name);
  const always = fields.filter((name) => members.every(([, { required = [] }]) => required.includes(name)));
  schemas[part] = {
    type: 'object',
    description,
    ...(always.length === 0 ? {} : { required: always }),
    properties: Object.fromEntries(common),
  };
  for (const [name, schema] of members) {
    const {
      properties = {},
      required = [],
      allOf = [],
      additionalProperties,
      description: own,
      type: _,
      ...rest
    } = schema;
    schemas[name] = {
      ...rest,
      ...(own === undefined || own === description ? {} : { description: own }),
      // The first part describes the type, so parts of all types follow it.
      allOf: isOfType ? [schemaReference(part), ...allOf] : [...allOf, schemaReference(part)],
      ...remaining({ properties, required }, fields, always),
      // With `allOf`, only this keyword takes the fields of the parts into account.
      ...(additionalProperties === false ? { unevaluatedProperties: false } : {}),
    };
  }
}
