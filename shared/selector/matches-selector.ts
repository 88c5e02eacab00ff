import type { Requirement } from './requirement.ts';

/** @param valueOf the value of a label; undefined when the object does not have it. */
export function matchesSelector(
  requirements: readonly Requirement[],
  valueOf: (label: string) => string | undefined,
): boolean {
  return requirements.every((requirement) => {
    const value = valueOf(requirement.label);
    switch (requirement.operator) {
      case 'exists':
        return value !== undefined;
      case 'absent':
        return value === undefined;
      case 'in':
        return value !== undefined && requirement.values.includes(value);
      case 'notin':
        return value === undefined || !requirement.values.includes(value);
    }
  });
}
