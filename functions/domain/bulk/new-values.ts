import type { Violation } from '../../../shared/core/errors.ts';
import { agentAddition } from '../agent/schema.ts';
import { newValueViolations } from '../fields/stored-values.ts';
import { nodeAddition } from '../node/schema.ts';
import { serviceAddition } from '../service/schema.ts';

const additions = { nodes: nodeAddition, services: serviceAddition, agents: agentAddition };

/** An object of `desired`: its list, its index there, and its fields. */
interface DesiredEntry {
  list: keyof typeof additions;
  index: number;
  body: object;
}

/** The violations by the values of a desired object that only its existing object may have. */
export function wrongInDesired({ list, index, body }: DesiredEntry, old: object | undefined): Violation[] {
  const found = newValueViolations(additions[list], body, old);
  return found.map((one) => ({ ...one, field: `desired.${list}.${index}.${one.field}` }));
}
