import type { Violation } from '../../../shared/core/errors.ts';
import type { ObjectKind } from '../fields/object-kind.ts';
import { newValueViolations } from '../fields/stored-values.ts';
import { additions } from './additions.ts';

/** An object of `desired`: its kind, its index in the list of the kind, and its fields. */
interface DesiredEntry {
  kind: ObjectKind;
  index: number;
  body: object;
}

/** The violations by the values of a desired object that only its existing object may have. */
export function wrongInDesired({ kind, index, body }: DesiredEntry, old: object | undefined): Violation[] {
  const violations = newValueViolations(additions[kind], body, old);
  return violations.map((violation) => ({ ...violation, field: `desired.${kind}s.${index}.${violation.field}` }));
}
