import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { standardLabels } from '../../../functions/domain/fields/filterable-labels.ts';
import type { ObjectKind } from '../../../functions/domain/fields/object-kind.ts';
import { SelectorError } from '../../../shared/selector/parse-selector.ts';
import {
  HAS_LABEL,
  labelOfProperty,
  type LabelToken,
  propertyOfLabel,
  selectorOf,
  tokensOf,
} from '../../model/label-tokens.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import type { ValuesOfField } from '../../search-index/inventory-index.ts';
import { searchIndex, useIndexState } from '../../search-index/search-index.tsx';
import { useLoad } from '../../ui/use-load.tsx';

const GROUP = 'labels';

export const HAS_LABEL_TEXT = 'Has label';

/** The labels of a kind with their values, once the index is complete. */
export function useLabels<T extends InventoryObject>(kind: Kind<T>): ValuesOfField {
  const state = useIndexState();
  const version = state.phase === 'ready' ? state.version : -1;
  const load = version < 0 ? undefined : () => searchIndex.labels(kind.noun);
  const { value = {} } = useLoad(['labels', kind.noun, version], load);
  return value;
}

/** The tokens of a selector; undefined for an invalid one, which the server refuses with the position of the error. */
export function labelTokensOf(selector: string | undefined): readonly LabelToken[] | undefined {
  try {
    return selector === undefined ? [] : tokensOf(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

const format = (value: unknown) => (Array.isArray(value) ? value.map(String).join(', ') : String(value));

const operators = (['=', '!='] as const).map((operator) => ({ operator, tokenType: 'enum', format }) as const);

/** The properties of known labels and of the labels in the current tokens. */
export function labelProperties(
  labels: ValuesOfField,
  tokens: readonly LabelToken[],
): PropertyFilterProps.FilteringProperty[] {
  const named = tokens.flatMap(({ propertyKey }) => labelOfProperty(propertyKey) ?? []);
  return [
    { key: HAS_LABEL, propertyLabel: HAS_LABEL_TEXT, groupValuesLabel: 'Labels', group: GROUP, operators },
    ...[...new Set([...Object.keys(labels), ...named])].map((label) => ({
      key: propertyOfLabel(label),
      propertyLabel: label,
      groupValuesLabel: `${label}: values`,
      group: GROUP,
      operators,
    })),
  ];
}

export const labelGroups: PropertyFilterProps.GroupText[] = [
  { group: GROUP, properties: 'Labels', values: 'Values of labels' },
];

export const labelOptions = (labels: ValuesOfField): PropertyFilterProps.FilteringOption[] =>
  Object.entries(labels).flatMap(([label, values]) => [
    { propertyKey: HAS_LABEL, value: label },
    ...values.filter((value) => value !== '').map((value) => ({ propertyKey: propertyOfLabel(label), value })),
  ]);

const isOfLabel = ({ propertyKey }: PropertyFilterProps.Token) =>
  propertyKey === HAS_LABEL || labelOfProperty(propertyKey) !== undefined;

/** A negated attribute as a requirement of the selector, because the filters of the API have no negation. */
function negatedAttribute(kind: ObjectKind, token: PropertyFilterProps.Token): PropertyFilterProps.Token {
  const { propertyKey: name, operator } = token;
  if (name === undefined || operator !== '!=' || !standardLabels[kind].has(name)) return token;
  return { ...token, propertyKey: propertyOfLabel(name) };
}

function labelTokenOf({ propertyKey = '', operator, value }: PropertyFilterProps.Token): LabelToken {
  const values = Array.isArray(value) ? value.map(String) : [String(value)];
  return { propertyKey, operator: operator === '!=' ? '!=' : '=', value: values };
}

/** The selector of the tokens about labels, and the other tokens. A typed selector is appended. */
export function splitTokens(
  kind: ObjectKind,
  given: readonly PropertyFilterProps.Token[],
): { selector: string | undefined; others: readonly PropertyFilterProps.Token[] } {
  const tokens = given.map((token) => negatedAttribute(kind, token));
  const typed = tokens.filter(({ propertyKey }) => propertyKey === 'selector').map(({ value }) => String(value));
  const labels = selectorOf(tokens.filter(isOfLabel).map(labelTokenOf));
  return {
    selector: [labels, ...typed].filter((part) => part !== undefined && part !== '').join(',') || undefined,
    others: tokens.filter((token) => !isOfLabel(token) && token.propertyKey !== 'selector'),
  };
}
