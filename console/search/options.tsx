import type { AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import type { IconProps } from '@cloudscape-design/components/icon';
import type { Health } from '../model/health.ts';
import type { SearchHit, SearchResult } from '../search-index/inventory-index.ts';
import type { Command } from './command.ts';
import { hitKinds, hrefOf, kindTitles, nameOf, reasonOf } from './hit.tsx';
import { numberText } from '../ui/words.ts';

/** The icons of the looks that objects have. */
const icons: Readonly<Partial<Record<Health['look'], IconProps.Name>>> = {
  success: 'status-positive',
  warning: 'status-warning',
  error: 'status-negative',
  stopped: 'status-stopped',
  pending: 'status-pending',
  'in-progress': 'status-in-progress',
};

/** An icon for all objects, so that nothing moves when the health arrives. The tag has it in words. */
function optionOf(hit: SearchHit, health: Health | undefined): AutosuggestProps.Option {
  return {
    value: hrefOf(hit),
    label: nameOf(hit),
    labelTag: hit.kind === 'agent' ? '' : hit.type,
    description: reasonOf(hit),
    tags: [health?.word, hit.area].filter((tag) => tag !== undefined),
    ...(hit.kind === 'cluster' ? {} : { iconName: icons[health?.look ?? 'pending'] ?? 'status-pending' }),
  };
}

/** The commands, and the results of each kind in groups. */
export function optionsOf(
  commands: readonly Command[],
  result: SearchResult | undefined,
  health: ReadonlyMap<string, Health>,
): AutosuggestProps.OptionGroup[] {
  const groups = [
    { label: 'Commands', options: commands.map(({ text, href: value }) => ({ value, label: text })) },
    ...hitKinds.map((kind) => {
      const { total, hits } = result?.[kind] ?? { total: 0, hits: [] };
      return {
        label: `${kindTitles[kind]} (${numberText(total)})`,
        options: hits.map((hit) => optionOf(hit, health.get(hit.id))),
      };
    }),
  ];
  return groups.filter(({ options }) => options.length > 0);
}
