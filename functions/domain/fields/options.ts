import * as z from 'zod/mini';

type Schema = z.ZodMiniType;

/** One option that some types of an object have. */
export interface Option {
  schema: Schema;
  /** The schema in a change, where it differs: there, null clears a field inside. */
  change?: Schema;
  /** The schema in an object, where it differs: it may have had the field since before a rule of today. */
  stored?: Schema;
  /** What an object has when nobody says otherwise; without one the field is just not there. */
  standard?: boolean | number | string | readonly string[];
  description: string;
}

type Options = Readonly<Record<string, Option>>;

/**
 * A shape whose names are known only at run time. To the type checker it adds nothing to the object that it extends:
 * code handles options as a whole and never by name.
 */
export type OpenShape = Record<never, never>;

/** Many types share an option: each form of it is made once for all of them, a tenth of the cold start of a function. */
function once(make: (option: Option) => Schema): (option: Option) => Schema {
  const made = new WeakMap<Option, Schema>();
  return (option) => {
    const schema = made.get(option) ?? make(option);
    made.set(option, schema);
    return schema;
  };
}

/** Names the option in documents; its own metadata (lengths, say) stays. */
function described(schema: Schema, description: string): Schema {
  return schema.check(z.meta({ ...z.globalRegistry.get(schema), description }));
}

const ofObject = once(({ schema, stored = schema, description }) => described(stored, description));
const optionalOfObject = once((option) => z.optional(ofObject(option)));
const withStandardOfObject = once((option) => z._default(ofObject(option), option.standard));
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

/** An option that is an object: none of its fields must be there, and a change clears one with null. */
export function group(fields: Readonly<Record<string, Schema>>): Pick<Option, 'schema' | 'change'> {
  const entries = Object.entries(fields);
  return {
    schema: z.strictObject(Object.fromEntries(entries.map(([name, field]) => [name, z.optional(field)]))),
    change: z.strictObject(Object.fromEntries(entries.map(([name, field]) => [name, z.optional(z.nullable(field))]))),
  };
}

/** Options as an add takes them. */
export function optionsToAdd(options: Options, names: readonly string[], required: readonly string[] = []): OpenShape {
  return shapeOf(options, names, (option, name) => {
    if (option.standard !== undefined) return withStandard(option);
    return required.includes(name) ? plain(option) : optional(option);
  });
}

/** The same as a change may leave them. */
export function optionsAfterChange(options: Options, names: readonly string[]): OpenShape {
  return shapeOf(options, names, (option) =>
    option.standard !== undefined ? withStandardOfObject(option) : optionalOfObject(option),
  );
}

/** Options as they stand in an object. */
export function optionsOfObject(
  options: Options,
  names: readonly string[],
  required: readonly string[] = [],
): OpenShape {
  return shapeOf(options, names, (option, name) =>
    option.standard !== undefined || required.includes(name) ? ofObject(option) : optionalOfObject(option),
  );
}

/** Options as a change takes them: absent keeps, null clears (back to the standard value where there is one). */
export function optionsToChange(options: Options, names: readonly string[]): OpenShape {
  return shapeOf(options, names, toChange);
}
