import * as z from 'zod/mini';
import { matchesSelector } from '../../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import type { RefusedFields } from '../../../shared/core/violations.ts';
import { agentDesired } from '../agent/schema.ts';
import { agentTypeEntry } from '../agent/types.ts';
import { namePrefix, selectorParameter } from '../fields/list-query.ts';
import { nodeOrStored } from '../node/schema.ts';
import { idSchema } from '../fields/common-fields.ts';
import { MAX_REMOVALS_PERCENT, removalsPercent } from '../fields/safety-threshold.ts';
import { refusedFields } from '../fields/read-only-fields.ts';
import { serviceDesired } from '../service/schema.ts';
import { labelOf } from '../fields/filterable-labels.ts';

/** The most objects in `desired`. */
export const MAX_DESIRED = 10_000;

/** The most nodes and services in a scope: all of them are read before the first change. */
export const MAX_IN_SCOPE = 10_000;

// Scope ---------------------------------------------------------------------------------------------------------------

export interface ReconcileScope {
  selector?: string | undefined;
  name_prefix?: string | undefined;
}

/** Whether a node or a service belongs to the scope, according to its own name and labels. */
export function isWithin(
  scope: ReconcileScope,
  kind: 'node' | 'service',
  object: Parameters<typeof labelOf>[1] & { readonly node_name?: string; readonly service_name?: string },
): boolean {
  const name = (kind === 'node' ? object.node_name : object.service_name) ?? '';
  const requirements = scope.selector === undefined ? [] : parseSelector(scope.selector);
  return (
    name.startsWith(scope.name_prefix ?? '') && matchesSelector(requirements, (label) => labelOf(kind, object, label))
  );
}

function says(scope: ReconcileScope): boolean {
  if (scope.name_prefix !== undefined) return true;
  const requirements = scope.selector === undefined ? [] : parseSelector(scope.selector);
  return requirements.some(({ operator }) => operator === 'in' || operator === 'exists');
}

const scopeSchema = z
  .strictObject({
    selector: selectorParameter(
      'Nodes and services whose labels match, in the syntax of lists: `team=shop,env in (prod,stage)`.',
    ),
    name_prefix: namePrefix,
  })
  .check(
    z.check(({ value, issues }) => {
      if (says(value)) return;
      const message =
        'Must contain a name_prefix, or a selector that requires a label and does not only exclude labels.';
      issues.push({ code: 'custom', input: value, message, params: { reason: 'required' } });
    }),
  )
  .register(z.globalRegistry, {
    id: 'Reconcile_scope',
    description:
      'The scope contains nodes and services that match all fields, and agents that run on such a node or have only such targets.',
  });

// Desired -------------------------------------------------------------------------------------------------------------

const desiredSchema = z
  .strictObject({
    nodes: z._default(z.array(nodeOrStored).check(z.meta({ description: 'The nodes, by name.' })), []),
    services: z._default(z.array(serviceDesired).check(z.meta({ description: 'The services, by name.' })), []),
    agents: z._default(
      z.array(agentDesired).check(z.meta({ description: 'The agents, by type, place and targets.' })),
      [],
    ),
  })
  .check(
    z.check(({ value, issues }) => {
      const { nodes, services, agents } = value;
      if (nodes.length + services.length + agents.length <= MAX_DESIRED) return;
      const message = `Must have at most ${MAX_DESIRED} objects in all. Use a smaller scope.`;
      issues.push({ code: 'custom', input: value, message, params: { reason: 'too_many' } });
    }),
  )
  .register(z.globalRegistry, {
    id: 'Desired',
    description:
      'All objects that must exist in the scope. References to objects outside the scope are allowed if the objects exist.',
  });

/** The objects of a desired state alone, each of which is checked. */
export const desiredObjects = z.object({ desired: desiredSchema });

export type DesiredState = z.output<typeof desiredSchema>;
export type DesiredNode = DesiredState['nodes'][number];
export type DesiredService = DesiredState['services'][number];

/** Most agent types have this field. */
export type DesiredAgent = DesiredState['agents'][number] & {
  runs_on_node_name?: string;
  collector_name?: string;
};

/** The fields that identify a desired agent. */
type AgentIdentity = Pick<DesiredAgent, 'agent_type' | 'insights' | 'runs_on_node_name' | 'collector_name'>;

const targetsOf = ({ insights }: AgentIdentity) => [...insights.node_names, ...insights.service_names];

/** The natural key of a desired agent as one string. An agent that watches its own node may state that target or not. */
export function desiredAgentKey(agent: AgentIdentity): string {
  const { agent_type: type, runs_on_node_name: place, insights } = agent;
  const [only, ...more] = targetsOf(agent);
  const isOwn =
    agentTypeEntry(type).watchesItsNode === true &&
    more.length === 0 &&
    insights.service_names.length === 0 &&
    only === place;
  const nodes = isOwn ? [] : insights.node_names.toSorted();
  return JSON.stringify([type, place ?? null, nodes, insights.service_names.toSorted(), agent.collector_name ?? null]);
}

type Refuse = (path: readonly (string | number)[], reason: string, message: string) => void;

function checkDifferent<T>(list: readonly T[], nameOf: (item: T) => string, refuse: (index: number) => void): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (seen.has(nameOf(item))) refuse(index);
    seen.add(nameOf(item));
  }
}

function checkAgents({ nodes, services, agents }: DesiredState, refuse: Refuse): void {
  const nodeNames = new Set(nodes.map(({ node_name: name }) => name));
  const serviceNames = new Set(services.map(({ service_name: name }) => name));
  const list: readonly DesiredAgent[] = agents;
  const processes = new Set(
    list.flatMap(({ agent_type: type, runs_on_node_name: place }) => (type === 'pmm_agent' ? [place] : [])),
  );
  for (const [index, agent] of list.entries()) {
    const { agent_type: type, runs_on_node_name: place, insights } = agent;
    const runsHere = place !== undefined && nodeNames.has(place);
    const watchesOnlyHere =
      targetsOf(agent).length > 0 &&
      insights.node_names.every((name) => nodeNames.has(name)) &&
      insights.service_names.every((name) => serviceNames.has(name));
    if (!runsHere && !watchesOnlyHere)
      refuse(
        ['agents', index],
        'outside_scope',
        'Outside the scope: the agent must run on a node of desired, or have only targets in desired.',
      );
    else if (runsHere && agentTypeEntry(type).place === 'pmm_agent' && !processes.has(place))
      refuse(['agents', index, 'runs_on_node_name'], 'required', 'No pmm_agent in desired runs on this node.');
  }
}

/** All desired objects must lie inside the scope, so that the next reconciliation finds them, and must be distinct. */
function checkDesired(scope: ReconcileScope, desired: DesiredState, refuse: Refuse): void {
  const outside = 'Outside the scope: the name or the labels do not match.';
  for (const [index, node] of desired.nodes.entries())
    if (!isWithin(scope, 'node', node)) refuse(['nodes', index], 'outside_scope', outside);
  for (const [index, service] of desired.services.entries())
    if (!isWithin(scope, 'service', service)) refuse(['services', index], 'outside_scope', outside);
  const twice = (list: string) => (index: number) => {
    refuse([list, index], 'duplicate', 'Duplicate.');
  };
  checkDifferent(desired.nodes, ({ node_name: name }) => name, twice('nodes'));
  checkDifferent(desired.services, ({ service_name: name }) => name, twice('services'));
  checkDifferent<DesiredAgent>(desired.agents, desiredAgentKey, twice('agents'));
  checkAgents(desired, refuse);
}

/** The fields that an object of `desired` does not accept; `path` is the path of the object. */
export function refusedInDesired(path: readonly PropertyKey[]): RefusedFields {
  if (path.length !== 3 || path[0] !== 'desired') return {};
  if (path[1] === 'nodes') return refusedFields.addNode;
  if (path[1] === 'services') return refusedFields.addService;
  return path[1] === 'agents' ? refusedFields.addAgent : {};
}

/** Identifies what a plan does. */
export const planDigest = z.string().check(z.regex(/^[\w-]{43}$/));

// Request -------------------------------------------------------------------------------------------------------------

export const reconcileBody = z
  .strictObject({
    mode: z._default(
      z.enum(['plan', 'apply']).check(z.meta({ description: 'plan: only return the plan. apply: make the changes.' })),
      'plan',
    ),
    scope: z.optional(scopeSchema),
    desired: z.optional(desiredSchema),
    max_removals_percent: z.optional(
      removalsPercent(
        `Safety threshold in percent of the objects in the scope. If the removals exceed it, no changes are made. Default: ${MAX_REMOVALS_PERCENT}.`,
      ),
    ),
    plan_id: z.optional(
      idSchema.check(
        z.meta({ description: 'Applies or resumes a plan as it was returned. Replaces scope and desired.' }),
      ),
    ),
    plan_digest: z.optional(
      planDigest.check(
        z.meta({
          description:
            'With `apply`: applies or resumes only the plan with this `plan_digest`, which any caller may have requested at any time. If another plan is needed, no changes are made and the reply is 412.',
        }),
      ),
    ),
  })
  .check(
    z.check(({ value, issues }) => {
      const refuse = (path: (string | number)[], reason: string, message: string) =>
        issues.push({ code: 'custom', input: value, path, message, params: { reason } });
      const { mode, scope, desired, max_removals_percent: percent, plan_id: planId, plan_digest: digest } = value;
      if (planId !== undefined) {
        if (mode !== 'apply')
          refuse(['mode'], 'invalid_value', 'Must be apply, because the plan already exists. Get it by its id.');
        for (const [name, given] of Object.entries({
          scope,
          desired,
          max_removals_percent: percent,
          plan_digest: digest,
        }))
          if (given !== undefined) refuse([name], 'not_allowed', 'Not allowed with plan_id: the plan contains it.');
        return;
      }
      if (digest !== undefined && mode !== 'apply') refuse(['plan_digest'], 'not_allowed', 'Allowed only with apply.');
      if (scope === undefined) refuse(['scope'], 'required', 'Required.');
      if (desired === undefined) refuse(['desired'], 'required', 'Required.');
      if (scope === undefined || desired === undefined) return;
      checkDesired(scope, desired, (path, reason, message) => refuse(['desired', ...path], reason, message));
    }),
  )
  .register(z.globalRegistry, { id: 'Reconcile', description: 'Desired state of a scope.' });

/** The stored part of a request, to apply it later. */
export const keptRequest = z.object({
  scope: scopeSchema,
  desired: desiredSchema,
  max_removals_percent: z._default(z.number(), MAX_REMOVALS_PERCENT),
});
