import * as z from 'zod/mini';
import { nodeAddress as newAddress, storedAddress } from '../fields/address.ts';
import {
  idOf,
  importedIdOf,
  importedRecordShape,
  labelsSchema,
  nameInPath,
  nameSchema,
  recordIsSound,
  recordShape,
  storedName,
  whenObject,
} from '../fields/common-fields.ts';
import { stateShape, timersAreInOrder } from '../fields/liveness.ts';
import { type NodeType, nodeTypes, nodeTypeTable } from './types.ts';
import { entitySchemas } from '../fields/entity-schemas.ts';
import { orStored } from '../fields/stored-values.ts';
import { optionsOfObject, optionsToAdd } from '../fields/options.ts';
import { options } from './options.ts';

export const nodeTypeSchema = z.enum(nodeTypes);

/** An RDS instance identifier is a single DNS label. */
function addressIsIdentifier<T extends { address?: unknown }>() {
  return z.check<T>(({ value, issues }) => {
    if (typeof value.address !== 'string' || !value.address.includes('.')) return;
    const message = 'DB instance identifier should not contain dot(s).';
    issues.push({ code: 'custom', input: value, path: ['address'], message, params: { reason: 'invalid_format' } });
  }, whenObject);
}

const ADDRESS = z.meta({ description: 'Host name, IP address or instance identifier of the node.' });

const nodeAddress = newAddress.check(ADDRESS);

/** The schemas of name and address for new values. */
const given = { name: nameSchema, address: nodeAddress };

/** The same for stored values, which may be older than these rules. */
const stored: typeof given = { name: storedName, address: storedAddress.check(ADDRESS) };

function addShape(type: NodeType, { name, address } = given) {
  return {
    node_type: z.literal(type).check(z.meta({ description: 'Type of the node.' })),
    node_name: name.check(z.meta({ description: 'Unique among all nodes.' })),
    address,
    custom_labels: z._default(labelsSchema, {}),
  };
}

function wholeOf<Shape extends z.core.$ZodShape>(type: NodeType, shape: Shape, ...checks: z.core.$ZodCheck<object>[]) {
  const { options: names, required } = nodeTypeTable[type];
  const schema = z.extend(z.strictObject(shape), optionsToAdd(options(), names, required));
  return schema.check(...checks, timersAreInOrder(), ...(type === 'remote_rds' ? [addressIsIdentifier()] : []));
}

function importOf(type: NodeType) {
  const shape = { node_id: importedIdOf('node'), ...addShape(type), ...importedRecordShape(), ...stateShape() };
  return wholeOf(type, shape, recordIsSound());
}

function fieldsOf(type: NodeType) {
  const { options: names, required } = nodeTypeTable[type];
  const shape = { node_id: idOf('node'), ...addShape(type, stored), custom_labels: labelsSchema };
  return z.extend(z.extend(z.object(shape), optionsOfObject(options(), names, required)), recordShape());
}

const schemas = /* @__PURE__ */ entitySchemas({
  kind: 'node',
  types: nodeTypes,
  nameOf: (type) => `${type}_node`,
  descriptionOf: (type) => nodeTypeTable[type].description,
});

/** Body of an add. */
export const nodeAddition = /* @__PURE__ */ schemas.input('Add', (type) => wholeOf(type, addShape(type)));

/** The same for a node that may exist. */
export const nodeOrStored = /* @__PURE__ */ orStored(nodeAddition);

/** Body of an upsert, whose path contains the name. */
export const nodeDeclaration = /* @__PURE__ */ schemas.inputOrStored('Declare', (type) =>
  wholeOf(type, { ...addShape(type), node_name: nameInPath }),
);

export const nodeImport = /* @__PURE__ */ schemas.inputOrStored('Import', importOf);

export const nodeSchema = /* @__PURE__ */ schemas.reply(fieldsOf, {
  id: 'Node',
  description: 'Services and agents run on nodes.',
});

export const upsertedNodeSchema = /* @__PURE__ */ schemas.upserted(fieldsOf);

export type Node = z.output<typeof nodeSchema>;

export const nodeChange = /* @__PURE__ */ schemas.change(() => ({ address: z.optional(nodeAddress) }), options);
