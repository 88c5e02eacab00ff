import * as z from 'zod/mini';
import { statusPeriodFilter } from '../agent/status-period.ts';
import { shownStatuses, agentTypes } from '../agent/types.ts';
import { MAX_SHORT_TEXT } from '../fields/common-fields.ts';
import { codes, namePrefix, selectorParameter, wordList } from '../fields/list-query.ts';
import { states } from '../fields/liveness.ts';
import { type ObjectKind, objectKinds } from '../fields/object-kind.ts';
import { valueFilter } from '../fields/related-labels.ts';
import { nodeTypes } from '../node/types.ts';
import { serviceTypes } from '../service/types.ts';

/** The properties by which the objects of a kind can be grouped, besides custom labels and the owner. */
export const groupProperties = {
  node: ['state', 'type', 'region', 'az', 'cluster', 'agent_version'],
  service: ['state', 'type', 'region', 'az', 'cluster', 'environment', 'version'],
  agent: ['state', 'type', 'status', 'region', 'az', 'cluster', 'environment', 'version'],
} as const satisfies Record<ObjectKind, readonly string[]>;

export type GroupProperty = (typeof groupProperties)[ObjectKind][number];

const isProperty = (kind: ObjectKind, name: string): name is GroupProperty =>
  groupProperties[kind].some((property) => property === name);

const LABEL = /^labels\.([a-zA-Z_][a-zA-Z0-9_]{0,127})$/;

export type Grouping = { property: GroupProperty } | { label: string };

/** @returns undefined for a text that names nothing by which objects of this kind can be grouped. */
export function groupingOf(kind: ObjectKind, text: string, ownerLabel: string): Grouping | undefined {
  if (text === 'owner') return { label: ownerLabel };
  if (isProperty(kind, text)) return { property: text };
  const [, label] = LABEL.exec(text) ?? [];
  return label === undefined ? undefined : { label };
}

/** The filters that not every kind has. */
const filtersOfKinds: Readonly<Record<string, readonly ObjectKind[]>> = {
  name_prefix: ['node', 'service'],
  environment: ['service', 'agent'],
  version: ['service', 'agent'],
  status: ['agent'],
  status_for: ['agent'],
  agent_version: ['node'],
};

interface KindQuery {
  kind: ObjectKind;
  group_by: string;
  cluster?: string | undefined;
}

/** The property and the filters must be those of the kind. */
function fitsKind<Query extends KindQuery>() {
  return z.check<Query>(({ value, issues }) => {
    const { kind, group_by: by } = value;
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message, params: { reason: 'invalid_value' } });
    if (groupingOf(kind, by, '') === undefined)
      refuse('group_by', `Must be labels.NAME, owner, or one of: ${groupProperties[kind].join(', ')}.`);
    for (const [name, kinds] of Object.entries(filtersOfKinds))
      if (Object.hasOwn(value, name) && !kinds.includes(kind)) refuse(name, `A ${kind} has no such filter.`);
    if (kind === 'node' && value.cluster === '') refuse('cluster', 'Nodes without a cluster cannot be selected.');
  });
}

const types = [...nodeTypes, ...serviceTypes, ...agentTypes];

export const groupQuery = z
  .strictObject({
    kind: z._default(z.enum(objectKinds).check(z.meta({ description: 'Kind of the objects.' })), 'node'),
    group_by: z._default(
      z.string().check(
        z.maxLength(135),
        z.meta({
          description:
            `Property whose values are the groups: ${codes(groupProperties.agent)}; of services all but \`status\`, of ` +
            `nodes ${codes(groupProperties.node)}. \`labels.NAME\`: a label or attribute, as selectors read it. ` +
            '`owner`: the owner label.',
        }),
      ),
      'state',
    ),
    type: z.optional(z.enum(types).check(z.meta({ description: 'Only objects of this type.' }))),
    name_prefix: namePrefix,
    region: valueFilter('Only objects in this region, as in their list.'),
    az: valueFilter('Only objects in this zone, as in their list.'),
    cluster: valueFilter('Only objects of this cluster, as in their list.'),
    environment: valueFilter('Only objects of this environment, as in their list.'),
    version: valueFilter('Only objects with this version.', MAX_SHORT_TEXT),
    selector: selectorParameter('Only objects that a selector in the syntax of Kubernetes matches, as in their list.'),
    state: z.optional(wordList(states, 'Only objects in one of these states')),
    status: z.optional(wordList(shownStatuses, 'Only agents with one of these reported statuses')),
    status_for: statusPeriodFilter(),
    agent_version: valueFilter('Only nodes on which an agent reports this version.', MAX_SHORT_TEXT),
    after: z.optional(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(4096),
          z.meta({ description: 'The `next` of the previous reply to the same request.' }),
        ),
    ),
  })
  .check(fitsKind());

export type GroupQuery = z.output<typeof groupQuery>;

const count = z.int().check(z.minimum(1), z.meta({ description: 'Number of objects.' }));

const group = z
  .strictObject({
    value: z.optional(z.string().check(z.meta({ description: 'The value; absent: the objects without one.' }))),
    count,
    state: z.enum(states).check(z.meta({ description: 'The worst state of the objects.' })),
    by_state: z.partialRecord(z.enum(states), count).check(z.meta({ description: 'Number in each state.' })),
  })
  .register(z.globalRegistry, { id: 'Group', description: 'The objects with one value.' });

export type Group = z.output<typeof group>;

export const groupsSchema = z.strictObject({
  groups: z.array(group).check(
    z.meta({
      description: 'The groups, the largest first. An object with several values is in several groups.',
    }),
  ),
  label: z.optional(
    z.string().check(z.meta({ description: 'The label whose values these are, if they are those of a label.' })),
  ),
  counted_at: z.optional(z.iso.datetime().check(z.meta({ description: 'When they were counted, if not now.' }))),
  next: z.optional(
    z.string().check(
      z.meta({
        description:
          'If present, not all objects are counted: repeat the request with this `after`, and add the numbers of ' +
          'equal values.',
      }),
    ),
  ),
});
