import { reconcileBody } from '../../../../functions/domain/bulk/reconcile-request.ts';
import { convert, type JsonSchema } from '../../../../shared/openapi/schemas.ts';
import { type Fields, isFields } from '../core/values.ts';

/** Fields that no defaults of a file can give. */
const ownFields = /_(type|name)$/;

/** The fields that an object can have from the defaults of its file are not required. */
function withOptionalFields(schema: JsonSchema): JsonSchema {
  const { discriminator: _, required, ...rest } = schema;
  return required === undefined ? rest : { ...rest, required: required.filter((name) => ownFields.test(name)) };
}

/** Moves the schemas to where those of a file are. */
const placed = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema of one object of a list of a file: `nodes`. */
export function objectSchema(list: string): object {
  const { properties, $defs } = stateSchema();
  const objects = properties[list];
  if (!isFields(objects) || !isFields(objects['items'])) throw new Error(`no list ${list}`);
  return { $schema: DIALECT, title: `An object of ${list}`, ...objects['items'], $defs };
}

/** The JSON Schema of a file with a desired state. */
export function stateSchema(): Fields & { properties: Fields } {
  const { roots, named } = convert({ body: reconcileBody }, 'request');
  const { properties: { max_removals_percent: percent } = {} } = named['Reconcile'] ?? roots['body'] ?? {};
  const definitions = Object.fromEntries(
    Object.entries(named).map(([name, definition]) => [name, withOptionalFields(definition)]),
  );
  const { Reconcile: _, Desired: desired, Reconcile_scope: scope, ...rest } = definitions;
  const fields = isFields(desired?.properties) ? desired.properties : {};
  return {
    $schema: DIALECT,
    title: 'Desired state of a part of the inventory',
    type: 'object',
    required: ['scope'],
    additionalProperties: false,
    properties: {
      scope: placed({ ...scope, properties: { ...scope?.properties, max_removals_percent: percent } }),
      defaults: {
        type: 'object',
        description: 'Fields of all objects whose type has them. Labels are merged by name.',
      },
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, placed(field)])),
    },
    $defs: placed(rest),
  };
}
