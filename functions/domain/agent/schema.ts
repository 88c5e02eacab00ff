import * as z from 'zod/mini';
import {
  idList,
  idOf,
  idSchema,
  importedIdOf,
  importedRecordShape,
  labelChangesSchema,
  labelsSchema,
  listOfDifferent,
  recordIsSound,
  recordShape,
  shortText,
  storedName,
} from '../fields/common-fields.ts';
import { stateShape } from '../fields/liveness.ts';
import { type OpenShape, optionsOfObject, optionsToAdd, optionsToChange } from '../fields/options.ts';
import { agentStatuses, type AgentType, type AgentTypeEntry, agentTypeEntry, agentTypes } from './types.ts';
import { outcomeShape } from '../fields/outcome.ts';
import { typedUnion } from '../fields/typed-union.ts';
import { options } from './options.ts';

/** The most targets of each kind. With this limit every add fits one transaction. */
export const MAX_INSIGHTS_PER_KIND = 20;

export const agentTypeSchema = z.enum(agentTypes);

const insights = z
  .strictObject({
    node_ids: z._default(idList(MAX_INSIGHTS_PER_KIND, 'Nodes that it gives insight into.'), []),
    service_ids: z._default(idList(MAX_INSIGHTS_PER_KIND, 'Services that it gives insight into.'), []),
  })
  .register(z.globalRegistry, { id: 'Insights', description: 'Targets of an agent.' });

const namedInsights = z
  .strictObject({
    node_names: z._default(
      listOfDifferent(storedName, MAX_INSIGHTS_PER_KIND, 'Names of nodes that it gives insight into.'),
      [],
    ),
    service_names: z._default(
      listOfDifferent(storedName, MAX_INSIGHTS_PER_KIND, 'Names of services that it gives insight into.'),
      [],
    ),
  })
  .register(z.globalRegistry, { id: 'Named_insights', description: 'Targets of an agent, by name.' });

const runsOnNodeName = storedName.check(
  z.meta({
    description:
      'Name of the node that it runs on. The pmm_agent of the node starts agents of the types that require one.',
  }),
);

const runsOnNodeId = idSchema.check(z.meta({ description: 'The node that it runs on.' }));

const pmmAgentId = idSchema.check(z.meta({ description: 'The pmm_agent that starts and stops it.' }));

/** The fields of an add that state the place of an agent. */
function placeToAdd(place: AgentTypeEntry['place']): OpenShape {
  if (place === 'node') return { runs_on_node_id: runsOnNodeId };
  if (place === 'anywhere') return { runs_on_node_id: z.optional(runsOnNodeId) };
  return { pmm_agent_id: pmmAgentId };
}

function placeOfObject(place: AgentTypeEntry['place']): OpenShape {
  return place === 'pmm_agent' ? { runs_on_node_id: runsOnNodeId, pmm_agent_id: pmmAgentId } : placeToAdd(place);
}

const disabled = z.boolean().check(z.meta({ description: 'Disabled agents do not run.' }));

const status = z.enum(agentStatuses).check(z.meta({ description: 'The status that the agent process last reported.' }));

const connected = z.boolean().check(z.meta({ description: 'True if the agent process reports in time.' }));

const version = shortText.check(z.meta({ description: 'Version that the agent process reported.' }));

function typeField<T extends AgentType>(type: T) {
  return z.literal(type).check(z.meta({ description: 'Type of the agent. Determines its other fields.' }));
}

function stateOf(type: AgentType): OpenShape {
  return type === 'pmm_agent' ? { connected } : { status, version: z.optional(version) };
}

function additionOf<T extends AgentType>(type: T) {
  const { place, options: optionNames, required, description } = agentTypeEntry(type);
  const shape = {
    agent_type: typeField(type),
    insights: z._default(insights, { node_ids: [], service_ids: [] }),
    disabled: z._default(disabled, false),
    custom_labels: z._default(labelsSchema, {}),
  };
  const open = { ...placeToAdd(place), ...optionsToAdd(options, optionNames, required) };
  return z.extend(z.strictObject(shape), open).register(z.globalRegistry, { id: `Add_${type}`, description });
}

function desiredOf<T extends AgentType>(type: T) {
  const { place, options: optionNames, required, description } = agentTypeEntry(type);
  const shape = {
    agent_type: typeField(type),
    insights: z._default(namedInsights, { node_names: [], service_names: [] }),
    disabled: z._default(disabled, false),
    custom_labels: z._default(labelsSchema, {}),
  };
  const placeShape: OpenShape = {
    runs_on_node_name: place === 'anywhere' ? z.optional(runsOnNodeName) : runsOnNodeName,
  };
  const open = { ...placeShape, ...optionsToAdd(options, optionNames, required) };
  return z.extend(z.strictObject(shape), open).register(z.globalRegistry, { id: `Desired_${type}`, description });
}

function fieldsOf<T extends AgentType>(type: T) {
  const { place, options: optionNames, required } = agentTypeEntry(type);
  const shape = {
    agent_id: idOf('agent'),
    agent_type: typeField(type),
    insights,
    disabled,
    custom_labels: labelsSchema,
  };
  const open = {
    ...placeOfObject(place),
    ...stateOf(type),
    ...optionsOfObject(options, optionNames, required),
  };
  return z.extend(z.extend(z.object(shape), open), recordShape);
}

function objectOf<T extends AgentType>(type: T) {
  const { description } = agentTypeEntry(type);
  return z.extend(fieldsOf(type), stateShape).register(z.globalRegistry, { id: type, description });
}

function upsertedOf<T extends AgentType>(type: T) {
  const { description } = agentTypeEntry(type);
  const meta = { id: `Upserted_${type}`, description };
  return z.extend(z.extend(fieldsOf(type), stateShape), outcomeShape).register(z.globalRegistry, meta);
}

/** The place and the status in an import. Both are optional, with the values of a new agent as defaults. */
function bornWith(type: AgentType): OpenShape {
  const state =
    type === 'pmm_agent'
      ? { connected: z.optional(connected) }
      : { status: z.optional(status), version: z.optional(version) };
  return agentTypeEntry(type).place === 'pmm_agent' ? { ...state, runs_on_node_id: z.optional(runsOnNodeId) } : state;
}

function importOf<T extends AgentType>(type: T) {
  const { place, options: optionNames, required, description } = agentTypeEntry(type);
  const shape = {
    agent_id: importedIdOf('agent'),
    agent_type: typeField(type),
    insights: z.optional(insights),
    disabled: z._default(disabled, false),
    custom_labels: z._default(labelsSchema, {}),
    ...importedRecordShape,
    ...stateShape,
  };
  const open = { ...placeToAdd(place), ...bornWith(type), ...optionsToAdd(options, optionNames, required) };
  const schema = z.extend(z.strictObject(shape), open).check(recordIsSound());
  return schema.register(z.globalRegistry, { id: `Import_${type}`, description });
}

/** Body of an add. */
export const agentAddition = /* @__PURE__ */ typedUnion('agent_type', agentTypes, additionOf, {
  id: 'Add_agent',
  description: 'An agent to add, of one of the types.',
});

/** The desired state of an agent, with names instead of ids of other objects. */
export const agentDesired = /* @__PURE__ */ typedUnion('agent_type', agentTypes, desiredOf, {
  id: 'Desired_agent',
  description: 'A desired agent, of one of the types; refers to nodes and services by name.',
});

/** An agent with its id, for an import. */
export const agentImport = /* @__PURE__ */ typedUnion('agent_type', agentTypes, importOf, {
  id: 'Import_agent',
  description: 'An agent to import, of one of the types.',
});

/** An agent in a reply. */
export const agentSchema = /* @__PURE__ */ typedUnion('agent_type', agentTypes, objectOf, {
  id: 'Agent',
  description: 'An agent gives insight into nodes and services.',
});

/** An agent in the reply to an upsert. */
export const upsertedAgentSchema = /* @__PURE__ */ typedUnion('agent_type', agentTypes, upsertedOf, {
  id: 'Upserted_agent',
  description: 'The current agent and the outcome.',
});

const targetChange = (description: string) => z.optional(z.nullable(idList(MAX_INSIGHTS_PER_KIND, description)));

function changeSchema() {
  return z
    .extend(
      z.strictObject({
        insights: z.optional(
          z.nullable(
            z
              .strictObject({
                node_ids: targetChange('Replaces the nodes that it gives insight into.'),
                service_ids: targetChange('Replaces the services that it gives insight into.'),
              })
              .register(z.globalRegistry, {
                id: 'Change_insights',
                description:
                  'New targets; each list replaces the previous one. null clears both lists. A node_exporter without targets gets ' +
                  'the node that it runs on.',
              }),
          ),
        ),
        disabled: z.optional(z.nullable(disabled)),
        custom_labels: z.optional(z.nullable(labelChangesSchema)),
      }),
      optionsToChange(options, Object.keys(options)),
    )
    .register(z.globalRegistry, {
      id: 'Change_agent',
      description: 'Fields of an agent to change; null clears a field.',
    });
}

/** Body of a change: the fields of all types; the type of the stored agent determines which are permitted. */
export const agentChange = /* @__PURE__ */ changeSchema();
