import * as z from 'zod/mini';
import {
  idList,
  idOf,
  importedIdOf,
  importedRecordShape,
  labelChangesSchema,
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
import { optionsAfterChange, optionsOfObject, optionsToAdd, optionsToChange } from '../fields/options.ts';
import { type ServiceType, serviceTypes, serviceTypeTable } from './types.ts';
import { outcomeShape } from '../fields/outcome.ts';
import { typedUnion } from '../fields/typed-union.ts';
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

function addShape<T extends ServiceType>(type: T, name = nameSchema) {
  return {
    service_type: z.literal(type).check(z.meta({ description: 'Type of the service. Determines its other fields.' })),
    service_name: name.check(z.meta({ description: 'Unique among all services.' })),
    node_ids: z._default(nodeIds, []),
    custom_labels: z._default(labelsSchema, {}),
  };
}

function additionOf<T extends ServiceType>(type: T) {
  const { options: names, description } = serviceTypeTable[type];
  const schema = z.extend(z.strictObject(addShape(type)), optionsToAdd(options, names));
  const hasEndpoint = names.some((name) => name === 'address');
  const checked = hasEndpoint ? schema.check(reachable()) : schema;
  return checked.register(z.globalRegistry, { id: `Add_${type}_service`, description });
}

function changedOf<T extends ServiceType>(type: T) {
  const { options: names } = serviceTypeTable[type];
  const schema = z.extend(z.strictObject(addShape(type, storedName)), optionsAfterChange(options, names));
  return names.some((name) => name === 'address') ? schema.check(reachable()) : schema;
}

function declarationOf<T extends ServiceType>(type: T) {
  const { options: names, description } = serviceTypeTable[type];
  const shape = { ...addShape(type), service_name: nameInPath };
  const schema = z.extend(z.strictObject(shape), optionsToAdd(options, names));
  const hasEndpoint = names.some((name) => name === 'address');
  const checked = hasEndpoint ? schema.check(reachable()) : schema;
  return checked.register(z.globalRegistry, { id: `Declare_${type}_service`, description });
}

function desiredOf<T extends ServiceType>(type: T) {
  const { options: names, description } = serviceTypeTable[type];
  const { node_ids: _, ...rest } = addShape(type);
  const shape = { ...rest, node_names: z._default(nodeNames, []) };
  const schema = z.extend(z.strictObject(shape), optionsToAdd(options, names));
  const checked = names.some((name) => name === 'address') ? schema.check(reachable()) : schema;
  return checked.register(z.globalRegistry, { id: `Desired_${type}_service`, description });
}

function fieldsOf<T extends ServiceType>(type: T) {
  const { options: names } = serviceTypeTable[type];
  const shape = {
    service_id: idOf('service'),
    ...addShape(type, storedName),
    node_ids: nodeIds,
    custom_labels: labelsSchema,
  };
  return z.extend(z.extend(z.object(shape), optionsOfObject(options, names)), recordShape);
}

function objectOf<T extends ServiceType>(type: T) {
  const { description } = serviceTypeTable[type];
  return z.extend(fieldsOf(type), stateShape).register(z.globalRegistry, { id: `${type}_service`, description });
}

function upsertedOf<T extends ServiceType>(type: T) {
  const { description } = serviceTypeTable[type];
  const meta = { id: `Upserted_${type}_service`, description };
  return z.extend(z.extend(fieldsOf(type), stateShape), outcomeShape).register(z.globalRegistry, meta);
}

function importOf<T extends ServiceType>(type: T) {
  const { options: names, description } = serviceTypeTable[type];
  const shape = { service_id: importedIdOf('service'), ...addShape(type), ...importedRecordShape, ...stateShape };
  const schema = z.extend(z.strictObject(shape), optionsToAdd(options, names)).check(recordIsSound());
  const checked = names.some((name) => name === 'address') ? schema.check(reachable()) : schema;
  return checked.register(z.globalRegistry, { id: `Import_${type}_service`, description });
}

/** Body of an add. */
export const serviceAddition = /* @__PURE__ */ typedUnion('service_type', serviceTypes, additionOf, {
  id: 'Add_service',
  description: 'A service to add, of one of the types.',
});

/** The result of a change: as an add, but names and addresses that are older than a rule may stay. */
export const changedService = /* @__PURE__ */ typedUnion('service_type', serviceTypes, changedOf);

/** Body of an upsert, whose path contains the name. */
export const serviceDeclaration = /* @__PURE__ */ typedUnion('service_type', serviceTypes, declarationOf, {
  id: 'Declare_service',
  description: 'A desired service, of one of the types.',
});

/** The desired state of a service, with names instead of ids of other objects. */
export const serviceDesired = /* @__PURE__ */ typedUnion('service_type', serviceTypes, desiredOf, {
  id: 'Desired_service',
  description: 'A desired service, of one of the types; refers to nodes by name.',
});

/** A service with its id, for an import. */
export const serviceImport = /* @__PURE__ */ typedUnion('service_type', serviceTypes, importOf, {
  id: 'Import_service',
  description: 'A service to import, of one of the types.',
});

/** A service in a reply. */
export const serviceSchema = /* @__PURE__ */ typedUnion('service_type', serviceTypes, objectOf, {
  id: 'Service',
  description: 'A database or proxy, on no node, one, or several.',
});

/** A service in the reply to an upsert. */
export const upsertedServiceSchema = /* @__PURE__ */ typedUnion('service_type', serviceTypes, upsertedOf, {
  id: 'Upserted_service',
  description: 'The current service and the outcome.',
});

export type Service = z.output<typeof serviceSchema>;

function changeSchema() {
  return z
    .extend(
      z.strictObject({
        node_ids: z.optional(z.nullable(nodeIds)),
        custom_labels: z.optional(z.nullable(labelChangesSchema)),
      }),
      optionsToChange(options, Object.keys(options)),
    )
    .register(z.globalRegistry, {
      id: 'Change_service',
      description: 'Fields of a service to change; null clears a field.',
    });
}

/** Body of a change: the fields of all types; the type of the stored service determines which are permitted. */
export const serviceChange = /* @__PURE__ */ changeSchema();
