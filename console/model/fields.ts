import type * as z from 'zod/mini';
import { convert, type JsonSchema, type NamedSchemas, resolve } from '../../shared/openapi/schemas.ts';
import { takesInsights } from './agent-rules.ts';
import { type TargetKind, targetOf } from './target.ts';
import { labelOf } from '../ui/words.ts';

/** The control that edits a field. */
export type Control =
  | { kind: 'text'; maxLength: number | undefined }
  | { kind: 'number'; minimum: number | undefined; maximum: number | undefined }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'flag' }
  /** Several texts, one per line. */
  | { kind: 'texts' }
  | { kind: 'labels' }
  | { kind: 'reference'; to: TargetKind }
  | { kind: 'references'; to: TargetKind; max: number | undefined }
  | { kind: 'group'; fields: readonly Field[] };

export interface Field {
  name: string;
  /** With the names of the groups around it, as in errors: `insights.node_ids`. */
  path: string;
  label: string;
  description: string;
  required: boolean;
  /** The value of the object if the request has none. */
  standard: unknown;
  control: Control;
}

export interface TypeOfObject {
  type: string;
  description: string;
  fields: readonly Field[];
}

function controlOf(path: string, schema: JsonSchema, named: NamedSchemas): Control {
  const target = targetOf(path);
  const { type, properties, additionalProperties, items, maxItems } = schema;
  if (schema.enum !== undefined) return { kind: 'choice', values: schema.enum.map(String) };
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'integer') return { kind: 'number', minimum: schema.minimum, maximum: schema.maximum };
  if (type === 'string')
    return target === undefined ? { kind: 'text', maxLength: schema.maxLength } : { kind: 'reference', to: target };
  if (type === 'array' && items?.type === 'string')
    return target === undefined ? { kind: 'texts' } : { kind: 'references', to: target, max: maxItems };
  if (type === 'object' && properties !== undefined)
    return { kind: 'group', fields: fieldsOf(schema, named, `${path}.`) };
  if (type === 'object' && additionalProperties !== undefined) return { kind: 'labels' };
  throw new Error(`no control for the field ${path}`);
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, named: NamedSchemas, before = ''): Field[] {
  return Object.entries(properties).flatMap(([name, property]): Field[] => {
    const schema = { ...resolve(property, named), ...property };
    // The type itself: another control sets it.
    if (schema.const !== undefined) return [];
    const path = before + name;
    return [
      {
        name,
        path,
        label: labelOf(path),
        description: schema.description ?? '',
        required: required.includes(name) && schema.default === undefined,
        standard: schema.default,
        control: controlOf(path, schema, named),
      },
    ];
  });
}

/** The types of a kind of object with their fields, from the contract of an add. */
export function typesOf(addition: z.core.$ZodType): TypeOfObject[] {
  const { roots, named } = convert({ addition }, 'request');
  const root = roots['addition'];
  const { discriminator, oneOf = [] } = root === undefined ? {} : { ...resolve(root, named), ...root };
  return oneOf.map((option) => {
    const schema = resolve(option, named);
    const type = schema.properties?.[discriminator?.propertyName ?? '']?.const;
    return { type: String(type), description: schema.description ?? '', fields: fieldsOf(schema, named) };
  });
}

/** The fields of the contract of a change, of all types. */
export function changeableFields(change: z.core.$ZodType): ReadonlySet<string> {
  const { roots, named } = convert({ change }, 'request');
  const root = roots['change'];
  return new Set(Object.keys(root === undefined ? {} : (resolve(root, named).properties ?? {})));
}

/** Without the fields that objects of the type cannot use. */
export function usableFields(type: string, fields: readonly Field[]): Field[] {
  return fields
    .filter(({ path }) => takesInsights(type, path))
    .map((field) =>
      field.control.kind === 'group'
        ? { ...field, control: { kind: 'group', fields: usableFields(type, field.control.fields) } }
        : field,
    );
}
