import { ESCAPE, PLAIN_CHARACTER, QUOTE, type Requirement } from './requirement.ts';

function printValue(value: string): string {
  if (value !== '' && Array.from(value).every((character) => PLAIN_CHARACTER.test(character))) return value;
  const escaped = value.replaceAll(ESCAPE, ESCAPE + ESCAPE).replaceAll(QUOTE, ESCAPE + QUOTE);
  return QUOTE + escaped + QUOTE;
}

function printRequirement(requirement: Requirement): string {
  if (requirement.operator === 'exists') return requirement.label;
  if (requirement.operator === 'absent') return `!${requirement.label}`;
  const { label, operator } = requirement;
  const values = requirement.values.map(printValue).join(',');
  if (requirement.values.length > 1) return `${label} ${operator} (${values})`;
  return `${label}${operator === 'in' ? '=' : '!='}${values}`;
}

/** The canonical text of a selector: equal requirements have the same text. */
export function printSelector(requirements: readonly Requirement[]): string {
  return requirements.map(printRequirement).join(',');
}
