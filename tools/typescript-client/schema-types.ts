import { nameOf, type JsonSchema } from '../../shared/openapi/schemas.ts';

/** `Add_generic_node` becomes `AddGenericNode`. `Error` is a global name of JavaScript. */
export function typeName(name: string): string {
  const words = name.split(/[_-]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return name === 'Error' ? 'ErrorBody' : words.join('');
}

export const propertyName = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

/** A doc comment, or nothing. */
export function comment(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const range = (least: number | undefined, most: number | undefined) =>
  least === undefined && most === undefined ? undefined : `${least ?? ''}..${most ?? ''}`;

/** The limits of a value, in words. */
function limitsOf({ minimum, maximum, minLength, maxLength, maxItems, maxProperties }: JsonSchema): string {
  const parts = [
    range(minimum, maximum),
    minLength === 1 && maxLength === undefined
      ? undefined
      : maxLength === undefined
        ? undefined
        : `at most ${maxLength} characters`,
    maxItems === undefined ? undefined : `at most ${maxItems}`,
    maxProperties === undefined ? undefined : `at most ${maxProperties}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

export interface Printer {
  /** A reply: a later server may send other values. */
  isOpen: boolean;
  rename: (name: string) => string;
}

const describe = (schema: JsonSchema, { isOpen }: Printer) =>
  schema.description === undefined ? undefined : `${schema.description}${isOpen ? '' : limitsOf(schema)}`;

export function property(name: string, schema: JsonSchema, isRequired: boolean, printer: Printer): string {
  const optional = isRequired ? '' : '?';
  const undefinable = isRequired || printer.isOpen ? '' : ' | undefined';
  return `${comment(describe(schema, printer), '  ')}  ${propertyName(name)}${optional}: ${typeOf(schema, printer)}${undefinable};\n`;
}

export function properties({ properties: all = {}, required = [] }: JsonSchema, printer: Printer): string {
  return Object.entries(all)
    .map(([name, schema]) => property(name, schema, required.includes(name), printer))
    .join('');
}

const parenthesised = (type: string) => (/[|&]/.test(type) ? `(${type})` : type);

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function objectType(schema: JsonSchema, printer: Printer): string {
  if (schema.properties !== undefined) return `{\n${properties(schema, printer)}}`;
  const { additionalProperties: more } = schema;
  return `Record<string, ${typeof more === 'object' ? typeOf(more, printer) : 'unknown'}>`;
}

function ofType(type: string, schema: JsonSchema, printer: Printer): string {
  if (type === 'object') return objectType(schema, printer);
  if (type !== 'array') return simple[type] ?? 'unknown';
  const item = parenthesised(schema.items === undefined ? 'unknown' : typeOf(schema.items, printer));
  return printer.isOpen ? `${item}[]` : `readonly ${item}[]`;
}

/** The type of the values of a schema, in TypeScript. */
export function typeOf(schema: JsonSchema, printer: Printer): string {
  const { $ref, const: constant, enum: values, oneOf, anyOf, type } = schema;
  if ($ref !== undefined) return printer.rename(nameOf($ref));
  if (constant !== undefined) return JSON.stringify(constant);
  const options = oneOf ?? anyOf;
  if (options !== undefined) return [...new Set(options.map((option) => typeOf(option, printer)))].join(' | ');
  if (values !== undefined) {
    const words = values.map((value) => JSON.stringify(value));
    return [...words, ...(printer.isOpen ? ['(string & {})'] : [])].join(' | ');
  }
  if (type === undefined) return 'unknown';
  return (typeof type === 'string' ? [type] : type).map((jsonType) => ofType(jsonType, schema, printer)).join(' | ');
}
