import { parseSelector } from '../../shared/selector/parse-selector.ts';
import { ESCAPE, PLAIN_CHARACTER, QUOTE, type Requirement } from '../../shared/selector/requirement.ts';

/** A requirement of a selector as a token of a filter. */
export interface LabelToken {
  /** `label.` and the name of the label, or `has_label` for requirements that ignore the value. */
  propertyKey: string;
  operator: '=' | '!=';
  /** Values of the label, of which one must be equal; of `has_label` the name of the label. */
  value: readonly string[];
}

export const HAS_LABEL = 'has_label';

const BEFORE_LABEL = 'label.';

export const propertyOfLabel = (label: string): string => BEFORE_LABEL + label;

/** The label of a property; undefined for other properties. */
export const labelOfProperty = (property: string | undefined): string | undefined =>
  property?.startsWith(BEFORE_LABEL) === true ? property.slice(BEFORE_LABEL.length) : undefined;

function tokenOf(requirement: Requirement): LabelToken {
  const { label, operator } = requirement;
  if (operator === 'exists' || operator === 'absent')
    return { propertyKey: HAS_LABEL, operator: operator === 'exists' ? '=' : '!=', value: [label] };
  return { propertyKey: propertyOfLabel(label), operator: operator === 'in' ? '=' : '!=', value: requirement.values };
}

/**
 * The tokens of a selector.
 *
 * @throws SelectorError for an invalid selector.
 */
export const tokensOf = (selector: string): LabelToken[] => parseSelector(selector).map(tokenOf);

const isPlain = (text: string) => text !== '' && Array.from(text).every((character) => PLAIN_CHARACTER.test(character));

const valueText = (value: string) =>
  isPlain(value) ? value : QUOTE + value.replaceAll(ESCAPE, ESCAPE + ESCAPE).replaceAll(QUOTE, ESCAPE + QUOTE) + QUOTE;

function textOf({ propertyKey, operator, value }: LabelToken): string[] {
  const label = labelOfProperty(propertyKey);
  if (label === undefined) return value.map((name) => (operator === '=' ? name : `!${name}`));
  const [first, ...others] = value.map(valueText);
  if (first === undefined) return [];
  if (others.length === 0) return [`${label}${operator}${first}`];
  return [`${label} ${operator === '=' ? 'in' : 'notin'} (${[first, ...others].join(',')})`];
}

/** The selector of tokens; undefined for no tokens. Values are quoted only where the grammar requires it. */
export const selectorOf = (tokens: readonly LabelToken[]): string | undefined =>
  tokens.flatMap(textOf).join(',') || undefined;
