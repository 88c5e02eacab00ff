import type { Position } from '../../../shared/db/page-token.ts';
import type { Table } from '../../../shared/db/table.ts';
import { matchesSelector } from '../../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import { labelOf, standardLabels } from '../../domain/fields/filterable-labels.ts';
import type { Collection } from './merge-references.ts';
import { type Entity, isOfKind } from '../entities/entity.ts';
import { isVisible, type Scope } from '../entities/key-scope.ts';
import type { Heartbeats } from '../heartbeats/heartbeat.ts';
import { versionOf } from '../heartbeats/shown-state.ts';
import { type ObjectKind } from '../table/keys.ts';
import { type RelatedRequirement } from './related-values.ts';
import type { Question } from './question.ts';
import { type Access, accessOf, prefixOf, type StateSelection, type StatesAt } from './access.ts';

/** A condition on an object alone, or on its heartbeats too. */
export interface Condition<Facts extends unknown[] = []> {
  name: string;
  holds: (entity: Entity, ...facts: Facts) => boolean;
}

/** How a list is read: an index or a walk, joins with other objects, and conditions. A value: nothing is read by it. */
export interface Plan<Kind extends ObjectKind> {
  kind: Kind;
  access: Access;
  /** Prefix of the orders of the objects. */
  prefix: string;
  isForReply: boolean;
  scope: Scope;
  conditions: readonly Condition[];
  /** Conditions on values of other objects, which are read. */
  through: readonly RelatedRequirement[];
  /** Conditions on heartbeats, which are read. */
  reported: readonly Condition<[Heartbeats]>[];
  /** All heartbeats, if they were read. */
  heartbeats?: Heartbeats | undefined;
  /** The heartbeats are read also without conditions on them. */
  showsStates: boolean;
  /** Partitions of the label index that together have exactly one entry for each object of the list, if there are such. */
  counted: readonly Collection[] | undefined;
}

/** The part of the heartbeats in a list. */
export interface HeartbeatUse {
  /** For questions that can select by heartbeats. */
  states?: StatesAt;
  showsStates?: boolean;
  /** All heartbeats, if they were read. */
  heartbeats?: Heartbeats | undefined;
}

/** The conditions of a question. Only agents have a version that follows from heartbeats. */
function conditionsOf<Kind extends ObjectKind>(
  kind: Kind,
  { selection, related, scope, requirements }: Question<Kind>,
  byState: StateSelection | undefined,
  now: Date,
): Pick<Plan<Kind>, 'conditions' | 'reported'> {
  const since = selection.updated_since === undefined ? undefined : Date.parse(selection.updated_since);
  const { version } = selection;
  const hasVersion = (entity: Entity, heartbeats: Heartbeats) => (versionOf(entity, heartbeats, now) ?? '') === version;
  const conditions: (Condition | false)[] = [
    scope !== undefined && { name: 'scope', holds: (entity) => isVisible(scope, entity) },
    // Most lists have no filter. Then the objects are not parsed.
    requirements.length > 0 && {
      name: 'labels',
      holds: (entity) => matchesSelector(requirements, (label) => labelOf(kind, entity.object, label)),
    },
    since !== undefined && { name: 'updated_since', holds: ({ object }) => Date.parse(object.updated_at) >= since },
    related !== undefined && {
      name: 'relation',
      holds: (entity) => isOfKind(entity, kind) && related.holds(entity.object),
    },
    version !== undefined && kind !== 'agent' && { name: 'version', holds: (entity) => hasVersion(entity, new Map()) },
  ];
  const reported: (Condition<[Heartbeats]> | false)[] = [
    byState !== undefined && { name: 'state', holds: byState.matches },
    version !== undefined && kind === 'agent' && { name: 'version', holds: hasVersion },
  ];
  return {
    conditions: conditions.filter((condition) => condition !== false),
    reported: reported.filter((condition) => condition !== false),
  };
}

/**
 * The plan of a list. The most selective criterion determines what is read; the others are conditions.
 *
 * @param after the position at which the last page ended.
 */
export async function planOf<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  asked: Question<Kind>,
  after: Position | undefined,
  { states, heartbeats, showsStates = false }: HeartbeatUse = {},
): Promise<Plan<Kind>> {
  const { selection, scope, through = [] } = asked;
  const selected = selection.selector === undefined ? [] : parseSelector(selection.selector);
  const question = { ...asked, requirements: [...asked.requirements, ...selected] };
  const byState = states?.selectedBy(selection);
  const access = await accessOf(table, kind, { ...question, after, byHeartbeat: byState, heartbeats });
  const conditions = conditionsOf(kind, question, byState, states?.now ?? new Date(0));
  return {
    kind,
    access,
    prefix: prefixOf(kind, question.requirements, question.prefix),
    isForReply: question.isForReply === true,
    scope,
    ...conditions,
    through,
    heartbeats: access.by === 'state' ? access.heartbeats : heartbeats,
    showsStates,
    counted: countedBy(kind, access, question, conditions),
  };
}

/** The entries of one attribute, which every object with its value has once, if the list has no other condition. */
function countedBy<Kind extends ObjectKind>(
  kind: Kind,
  access: Access,
  { requirements, through = [], prefix }: Question<Kind>,
  { conditions, reported }: Pick<Plan<Kind>, 'conditions' | 'reported'>,
): readonly Collection[] | undefined {
  const [requirement, ...others] = requirements;
  const [source, ...more] = access.by === 'reference' ? access.sources : [];
  const isOne = others.length + more.length + through.length + reported.length === 0 && conditions.length === 1;
  const isIndexed = requirement !== undefined && standardLabels[kind].get(requirement.label) === 'label_index';
  return isOne && isIndexed && prefix === undefined ? source : undefined;
}
