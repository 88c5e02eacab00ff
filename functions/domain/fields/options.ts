import * as z from 'zod/mini';

type Schema = z.ZodMiniType;

/** An option: a field that some types of an object have. */
export interface Option {
  schema: Schema;
  /** The schema in a change, if different: in an option that is an object, null clears a field. */
  change?: Schema;
  /** The schema in a stored object, if different: its value may be older than a present rule. */
  stored?: Schema;
  /** The default value; without one the field may be absent. */
  standard?: boolean | number | string | readonly string[];
  description: string;
}

export type Options = Readonly<Record<string, Option>>;

/**
 * A shape whose names are known only at run time. It adds nothing to the type of the object that it extends, because
 * code treats options as a whole and never by name.
 */
export type OpenShape = Record<never, never>;

/**
 * Creates each form of an option once for all types that share it, which saves a tenth of the cold start of a function.
 */
function once(make: (option: Option) => Schema): (option: Option) => Schema {
  const made = new WeakMap<Option, Schema>();
  return (option) => {
    const schema = made.get(option) ?? make(option);
    made.set(option, schema);
    return schema;
  };
}

/** Adds the description for documents; the schema's own metadata (lengths, for example) is kept. */
function described(schema: Schema, description: string): Schema {
  return schema.check(z.meta({ ...z.globalRegistry.get(schema), description }));
}

const ofObject = once(({ schema, stored = schema, description }) => described(stored, description));
const optionalOfObject = once((option) => z.optional(ofObject(option)));
const plain = once(({ schema, description }) => described(schema, description));
const optional = once((option) => z.optional(plain(option)));
const withStandard = once((option) => z._default(plain(option), option.standard));
const toChange = once(({ schema, change = schema, description }) =>
  z.optional(z.nullable(described(change, description))),
);

function shapeOf(
  options: Options,
  names: readonly string[],
  toSchema: (option: Option, name: string) => Schema,
): OpenShape {
  return Object.fromEntries(
    names.map((name) => {
      const option = options[name];
      if (option === undefined) throw new Error(`No such option: ${name}`);
      return [name, toSchema(option, name)];
    }),
  );
}

/** An option that is an object: all its fields are optional, and a change clears one with null. */
export function group(fields: Readonly<Record<string, Schema>>): Pick<Option, 'schema' | 'change'> {
  const entries = Object.entries(fields);
  return {
    schema: z.strictObject(Object.fromEntries(entries.map(([name, field]) => [name, z.optional(field)]))),
    change: z.strictObject(Object.fromEntries(entries.map(([name, field]) => [name, z.optional(z.nullable(field))]))),
  };
}

export function optionsToAdd(options: Options, names: readonly string[], required: readonly string[] = []): OpenShape {
  return shapeOf(options, names, (option, name) => {
    if (option.standard !== undefined) return withStandard(option);
    return required.includes(name) ? plain(option) : optional(option);
  });
}

export function optionsOfObject(
  options: Options,
  names: readonly string[],
  required: readonly string[] = [],
): OpenShape {
  return shapeOf(options, names, (option, name) =>
    option.standard !== undefined || required.includes(name) ? ofObject(option) : optionalOfObject(option),
  );
}

/** Options for a change: an absent one is kept, null clears it (to its default, if it has one). */
export function optionsToChange(options: Options): OpenShape {
  return shapeOf(options, Object.keys(options), toChange);
}
