import { agentAddition } from '../agent/schema.ts';
import type { ObjectKind } from '../fields/object-kind.ts';
import type { TypedUnion } from '../fields/typed-union.ts';
import { nodeAddition } from '../node/schema.ts';
import { serviceAddition } from '../service/schema.ts';

/** The schema of an add of each kind: it has all rules for new values. */
export const additions = { node: nodeAddition, service: serviceAddition, agent: agentAddition } satisfies Record<
  ObjectKind,
  TypedUnion
>;
