import type { Requirement } from '../../../shared/selector/requirement.ts';
import type { EntityFields } from '../entities/entity.ts';
import type { Scope } from '../entities/key-scope.ts';
import type { ObjectKind, Relation } from '../table/keys.ts';
import type { RelatedRequirement } from './related-values.ts';

/** Objects whose collections refer to the objects of the list. */
export interface RelationFilter<Kind extends ObjectKind> {
  kind: ObjectKind;
  ids: readonly string[];
  relation: Relation;
  /** Whether the object as it was read still has the relation to one of them. */
  holds: (object: EntityFields<Kind>['object']) => boolean;
}

/** The parameters of every list. */
export interface Selection {
  selector?: string | undefined;
  /** RFC 3339. */
  updated_since?: string | undefined;
  /** Comma-separated states. */
  state?: string | undefined;
  /** Comma-separated statuses of agents. */
  status?: string | undefined;
  /** How long agents have had their status at least: a duration. */
  status_for?: string | undefined;
  /** The version of services and agents, which agents report; empty: those without one. */
  version?: string | undefined;
  /** The version of an agent on nodes; empty: those whose agents report none. */
  agent_version?: string | undefined;
  /** Comma-separated names of the fields to return of each object; undefined: all fields. */
  fields?: string | undefined;
  /** Values to return in addition to the stored fields. */
  include?: 'state' | undefined;
  /** Whether to count all objects of the list. */
  total?: boolean | undefined;
}

export interface Question<Kind extends ObjectKind> {
  requirements: readonly Requirement[];
  selection: Selection;
  prefix?: string | undefined;
  related?: RelationFilter<Kind> | undefined;
  /** The objects are shown and not written: what only the store uses of them need not be read. */
  isForReply?: boolean | undefined;
  /** Conditions on values that the objects have through others, as far as these are in the scope. */
  through?: readonly RelatedRequirement[] | undefined;
  scope?: Scope;
}

/**
 * The requirement for a parameter that selects one value of a label, or no value if it is empty; none when the parameter
 * is missing.
 */
export function withValue(label: string, value: string | undefined): Requirement[] {
  if (value === undefined) return [];
  return [value === '' ? { label, operator: 'absent' } : { label, operator: 'in', values: [value] }];
}
