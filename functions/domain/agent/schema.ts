import * as z from 'zod/mini';
import { lazily } from '../../../shared/core/lazily.ts';
import {
  idList,
  idOf,
  idSchema,
  importedIdOf,
  importedRecordShape,
  labelsSchema,
  listOfDifferent,
  recordIsSound,
  recordShape,
  shortText,
  storedName,
} from '../fields/common-fields.ts';
import { stateShape } from '../fields/liveness.ts';
import { type OpenShape, optionsOfObject, optionsToAdd } from '../fields/options.ts';
import {
  agentStatuses,
  computedStatuses,
  type AgentType,
  type AgentTypeEntry,
  agentTypeEntry,
  agentTypes,
  isReporter,
  statusReason,
} from './types.ts';
import { entitySchemas } from '../fields/entity-schemas.ts';
import { orStored } from '../fields/stored-values.ts';
import { options } from './options.ts';
import { openEnum } from '../fields/open-enum.ts';

/** The most targets of each kind. With this limit every add fits one transaction. */
export const MAX_INSIGHTS_PER_KIND = 20;

export const agentTypeSchema = z.enum(agentTypes);

const insights = lazily(() =>
  z
    .strictObject({
      node_ids: z._default(idList(MAX_INSIGHTS_PER_KIND, 'Nodes that it gives insight into.'), []),
      service_ids: z._default(idList(MAX_INSIGHTS_PER_KIND, 'Services that it gives insight into.'), []),
    })
    .register(z.globalRegistry, { id: 'Insights', description: 'Targets of an agent.' }),
);

const namedInsights = lazily(() =>
  z
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
    .register(z.globalRegistry, { id: 'Named_insights', description: 'Targets of an agent, by name.' }),
);

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

const STATUS = 'The status that the agent process last reported.';
const CONNECTED = 'True if the agent process reports in time.';
const STATUS_SINCE =
  'Since when the agent process reports this status, or since when it is offline. Absent if no report says.';
const STATUS_REASON = 'Reason of the status, as the agent process reported it.';
const VERSION = 'Version that the agent process reported.';

/** The description of a field that lists contain only when they read reports. */
const inLists = (description: string) => `${description} In lists only with \`include=state\`.`;

const describe = (description: string) => z.meta({ description });

const status = z.enum(agentStatuses).check(describe(STATUS));

const shownStatus = openEnum(agentStatuses, STATUS, computedStatuses);

const listedStatus = openEnum(agentStatuses, inLists(STATUS), computedStatuses);

const connected = z.boolean().check(describe(CONNECTED));

const version = shortText.check(describe(VERSION));

const reported = (description: string) => describe(inLists(description));

function typeField(type: AgentType) {
  return z.literal(type).check(z.meta({ description: 'Type of the agent.' }));
}

/** The fields of a reply that a report replaces; of an agent without an agent process, none does. */
function stateOf(type: AgentType): OpenShape {
  const ofProcess = isReporter(type) ? { connected: z.optional(connected.check(reported(CONNECTED))) } : {};
  if (type === 'pmm_agent') return { ...ofProcess, version: z.optional(version.check(reported(VERSION))) };
  if (agentTypeEntry(type).place === 'anywhere') return { status: shownStatus, version: z.optional(version) };
  return {
    ...ofProcess,
    status: z.optional(listedStatus),
    status_since: z.optional(z.iso.datetime().check(reported(STATUS_SINCE))),
    status_reason: z.optional(statusReason().check(reported(STATUS_REASON))),
    version: z.optional(version.check(reported(VERSION))),
  };
}

/** The fields of an add, an import or a desired state: `shape`, those that depend on the type, and its options. */
function wholeOf<Shape extends z.core.$ZodShape>(type: AgentType, shape: Shape, open: OpenShape) {
  const { options: names, required } = agentTypeEntry(type);
  const common = {
    agent_type: typeField(type),
    ...shape,
    disabled: z._default(disabled, false),
    custom_labels: z._default(labelsSchema, {}),
  };
  return z.extend(z.strictObject(common), { ...open, ...optionsToAdd(options(), names, required) });
}

function additionOf(type: AgentType) {
  const shape = { insights: z._default(insights(), { node_ids: [], service_ids: [] }) };
  return wholeOf(type, shape, placeToAdd(agentTypeEntry(type).place));
}

function desiredOf(type: AgentType) {
  const { place } = agentTypeEntry(type);
  const shape = { insights: z._default(namedInsights(), { node_names: [], service_names: [] }) };
  return wholeOf(type, shape, {
    runs_on_node_name: place === 'anywhere' ? z.optional(runsOnNodeName) : runsOnNodeName,
  });
}

function fieldsOf(type: AgentType) {
  const { place, options: optionNames, required } = agentTypeEntry(type);
  const shape = {
    agent_id: idOf('agent'),
    agent_type: typeField(type),
    insights: insights(),
    disabled,
    custom_labels: labelsSchema,
  };
  const open = {
    ...placeOfObject(place),
    ...stateOf(type),
    ...optionsOfObject(options(), optionNames, required),
  };
  return z.extend(z.extend(z.object(shape), open), recordShape());
}

/** The place and the status in an import. Both are optional, with the values of a new agent as defaults. */
function bornWith(type: AgentType): OpenShape {
  const ofProcess = isReporter(type) ? { connected: z.optional(connected) } : {};
  const state =
    type === 'pmm_agent'
      ? { ...ofProcess, version: z.optional(version) }
      : {
          ...ofProcess,
          status: z.optional(status),
          status_since: z.optional(z.iso.datetime().check(describe(STATUS_SINCE))),
          status_reason: z.optional(statusReason().check(describe(STATUS_REASON))),
          version: z.optional(version),
        };
  return agentTypeEntry(type).place === 'pmm_agent' ? { ...state, runs_on_node_id: z.optional(runsOnNodeId) } : state;
}

function importOf(type: AgentType) {
  const shape = {
    agent_id: importedIdOf('agent'),
    insights: z.optional(insights()),
    ...importedRecordShape(),
    ...stateShape(),
  };
  return wholeOf(type, shape, { ...placeToAdd(agentTypeEntry(type).place), ...bornWith(type) }).check(recordIsSound());
}

const schemas = /* @__PURE__ */ entitySchemas({
  kind: 'agent',
  types: agentTypes,
  nameOf: (type) => type,
  descriptionOf: (type) => agentTypeEntry(type).description,
});

/** Body of an add. */
export const agentAddition = /* @__PURE__ */ schemas.input('Add', additionOf);

/** The same for an agent that may exist. */
export const agentOrStored = /* @__PURE__ */ orStored(agentAddition);

/** The desired state of an agent, with names instead of ids of other objects. */
export const agentDesired = /* @__PURE__ */ schemas.inputOrStored('Desired', desiredOf);

export const agentImport = /* @__PURE__ */ schemas.inputOrStored('Import', importOf);

export const agentSchema = /* @__PURE__ */ schemas.reply(fieldsOf, {
  id: 'Agent',
  description: 'An agent gives insight into nodes and services.',
});

export const upsertedAgentSchema = /* @__PURE__ */ schemas.upserted(fieldsOf);

const targetChange = (description: string) => z.optional(z.nullable(idList(MAX_INSIGHTS_PER_KIND, description)));

const targetChanges = () =>
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
    });

export const agentChange = /* @__PURE__ */ schemas.change(
  () => ({ insights: z.optional(z.nullable(targetChanges())), disabled: z.optional(z.nullable(disabled)) }),
  options,
);
