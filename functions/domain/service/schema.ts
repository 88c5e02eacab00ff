import * as z from 'zod/mini';
import {
  idList,
  idOf,
  importedIdOf,
  importedRecordShape,
  labelsSchema,
  listOfDifferent,
  nameInPath,
  nameSchema,
  recordIsSound,
  recordShape,
  storedName,
  whenObject,
} from '../fields/common-fields.ts';
import { stateShape } from '../fields/liveness.ts';
import { optionsOfObject, optionsToAdd } from '../fields/options.ts';
import { type ServiceType, serviceTypes, serviceTypeTable } from './types.ts';
import { entitySchemas } from '../fields/entity-schemas.ts';
import { orStored } from '../fields/stored-values.ts';
import { options } from './options.ts';

/** The most nodes of a service. With this limit every add fits one transaction. */
export const MAX_NODES_PER_SERVICE = 20;

export const serviceTypeSchema = z.enum(serviceTypes);

/** The first violated rule of a service's endpoint. Messages and order are those of PMM, which clients know. */
function brokenEndpointRule(given: {
  address: boolean;
  port: boolean;
  socket: boolean;
}): { field: string; reason: string; message: string } | undefined {
  if (!given.address && !given.socket)
    return { field: 'address', reason: 'required', message: 'Neither socket nor address passed.' };
  if (given.address && given.socket)
    return { field: 'socket', reason: 'not_allowed', message: 'Socket and address cannot be specified together.' };
  if (given.address && !given.port)
    return { field: 'port', reason: 'required', message: 'Port is expected to be passed along with the host address.' };
  if (given.socket && given.port)
    return { field: 'port', reason: 'not_allowed', message: 'Socket and port cannot be specified together.' };
  return undefined;
}

function reachable<T extends object>() {
  return z.check<T>(({ value, issues }) => {
    const given = (name: string) => Object.hasOwn(value, name);
    const broken = brokenEndpointRule({ address: given('address'), port: given('port'), socket: given('socket') });
    if (broken === undefined) return;
    const { field, reason, message } = broken;
    issues.push({ code: 'custom', input: value, path: [field], message, params: { reason } });
  }, whenObject);
}

const nodeNames = listOfDifferent(
  storedName,
  MAX_NODES_PER_SERVICE,
  'Names of the nodes it runs on: none, one, or several for a cluster.',
);

const nodeIds = idList(MAX_NODES_PER_SERVICE, 'The nodes it runs on: none, one, or several for a cluster.');

function addShape(type: ServiceType, name = nameSchema) {
  return {
    service_type: z.literal(type).check(z.meta({ description: 'Type of the service.' })),
    service_name: name.check(z.meta({ description: 'Unique among all services.' })),
    node_ids: z._default(nodeIds, []),
    custom_labels: z._default(labelsSchema, {}),
  };
}

function wholeOf<Shape extends z.core.$ZodShape>(
  type: ServiceType,
  shape: Shape,
  ...checks: z.core.$ZodCheck<object>[]
) {
  const { options: names } = serviceTypeTable[type];
  const schema = z.extend(z.strictObject(shape), optionsToAdd(options(), names));
  return schema.check(...checks, ...endpointChecks(type));
}

function endpointChecks(type: ServiceType) {
  return serviceTypeTable[type].options.some((name) => name === 'address') ? [reachable()] : [];
}

function desiredOf(type: ServiceType) {
  const { node_ids: _, ...rest } = addShape(type);
  return wholeOf(type, { ...rest, node_names: z._default(nodeNames, []) });
}

function importOf(type: ServiceType) {
  const shape = { service_id: importedIdOf('service'), ...addShape(type), ...importedRecordShape(), ...stateShape() };
  return wholeOf(type, shape, recordIsSound());
}

function fieldsOf(type: ServiceType) {
  const { options: names } = serviceTypeTable[type];
  const shape = {
    service_id: idOf('service'),
    ...addShape(type, storedName),
    node_ids: nodeIds,
    custom_labels: labelsSchema,
  };
  return z.extend(z.extend(z.object(shape), optionsOfObject(options(), names)), recordShape());
}

const schemas = /* @__PURE__ */ entitySchemas({
  kind: 'service',
  types: serviceTypes,
  nameOf: (type) => `${type}_service`,
  descriptionOf: (type) => serviceTypeTable[type].description,
});

/** Body of an add. */
export const serviceAddition = /* @__PURE__ */ schemas.input('Add', (type) => wholeOf(type, addShape(type)));

/** The same for a service that may exist. */
export const serviceOrStored = /* @__PURE__ */ orStored(serviceAddition);

/** Body of an upsert, whose path contains the name. */
export const serviceDeclaration = /* @__PURE__ */ schemas.inputOrStored('Declare', (type) =>
  wholeOf(type, { ...addShape(type), service_name: nameInPath }),
);

/** The desired state of a service, with names instead of ids of other objects. */
export const serviceDesired = /* @__PURE__ */ schemas.inputOrStored('Desired', desiredOf);

export const serviceImport = /* @__PURE__ */ schemas.inputOrStored('Import', importOf);

export const serviceSchema = /* @__PURE__ */ schemas.reply(fieldsOf, {
  id: 'Service',
  description: 'A database or proxy, on no node, one, or several.',
});

export const upsertedServiceSchema = /* @__PURE__ */ schemas.upserted(fieldsOf);

export type Service = z.output<typeof serviceSchema>;

export const serviceChange = /* @__PURE__ */ schemas.change(
  () => ({ node_ids: z.optional(z.nullable(nodeIds)) }),
  options,
);
