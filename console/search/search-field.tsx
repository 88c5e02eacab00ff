import Autosuggest, { type AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import { useEffect, useRef, useState } from 'react';
import { MAX_INDEXED, type IndexState } from '../search-index/index-state.tsx';
import type { SearchResult } from '../search-index/inventory-index.ts';
import { searchIndex, useIndexState } from '../search-index/search-index.tsx';
import { go, href } from '../ui/route.tsx';
import { hitKinds, hrefOf, kindTitles, nameOf, reasonOf, totalOf } from './hit.tsx';
import { countText, readingText } from './progress.tsx';
import { useSearch } from './use-search.tsx';

/** As many results of each kind as fit the list below the field. */
const HITS = 5;

function optionsOf(result: SearchResult): AutosuggestProps.OptionGroup[] {
  return hitKinds
    .filter((kind) => result[kind].total > 0)
    .map((kind) => ({
      label: `${kindTitles[kind]} (${countText(result[kind].total)})`,
      options: result[kind].hits.map((hit) => ({
        value: hrefOf(hit),
        label: nameOf(hit),
        labelTag: hit.kind === 'agent' ? '' : hit.type,
        description: reasonOf(hit),
      })),
    }));
}

/** The status below the results. */
function statusOf(state: IndexState, result: SearchResult | undefined, isFailed: boolean) {
  if (state.phase === 'failed' || isFailed) return { statusType: 'error' } as const;
  if (state.phase === 'reading') return { statusType: 'loading', loadingText: readingText(state) } as const;
  if (state.phase === 'too_large')
    return {
      statusType: 'finished',
      finishedText: `More than ${countText(MAX_INDEXED)} objects: finds the beginnings of names.`,
    } as const;
  const total = result === undefined ? undefined : totalOf(result);
  const finishedText =
    total === 0
      ? 'No results'
      : total === undefined
        ? undefined
        : `Press Enter to list all ${countText(total)} results.`;
  return { statusType: 'finished', finishedText } as const;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** The key `/` moves to the field, from everywhere but other fields and dialogs. */
function useSlash(focus: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isPlain = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isPlain || event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector('[role=dialog]:not([aria-hidden=true])') !== null) return;
      event.preventDefault();
      focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Moves to the field. In a narrow window it is behind a button. */
export function focusSearch(): void {
  const field = () => document.querySelector<HTMLInputElement>('#top header [role=search] input');
  if (field() === null)
    document.querySelector<HTMLElement>('#top header [data-utility-special=search] [role=button]')?.click();
  // The button shows the field with the next rendering. The next text replaces the former one.
  requestAnimationFrame(() => {
    field()?.focus();
    field()?.select();
  });
}

export function SearchKey() {
  useSlash(focusSearch);
  return null;
}

/** Finds nodes, services, agents and clusters by any part of a name, an address, an id or a label. */
export function SearchField() {
  const state = useIndexState();
  const [text, setText] = useState('');
  const { result, failure } = useSearch(text, HITS);
  const selected = useRef(false);

  const showAll = (all: string) => {
    if (all.trim() !== '') go(href(['search'], { text: all.trim() }));
  };
  return (
    <div role="search" className="search">
      <Autosuggest
        value={text}
        options={result === undefined ? [] : optionsOf(result)}
        filteringType="manual"
        placeholder="Search"
        ariaLabel="Search the inventory"
        clearAriaLabel="Clear the search"
        enteredTextLabel={(entered) => `All results for "${entered}"`}
        errorText={failure?.message ?? (state.phase === 'failed' ? state.failure.message : undefined)}
        recoveryText="Try again"
        {...statusOf(state, result, failure !== undefined)}
        onFocus={() => {
          if (state.phase === 'idle') searchIndex.start();
          else searchIndex.refresh();
        }}
        onLoadItems={({ detail }) => {
          if (detail.samePage && state.phase === 'failed') searchIndex.start();
        }}
        onChange={({ detail }) => setText(detail.value)}
        onSelect={({ detail }) => {
          selected.current = true;
          if (detail.selectedOption === undefined) showAll(detail.value);
          else {
            setText('');
            go(detail.value);
          }
        }}
        onKeyDown={({ detail }) => {
          if (detail.key !== 'Enter' || detail.isComposing) return;
          // The key has chosen an option of the list.
          if (!selected.current) showAll(text);
          selected.current = false;
        }}
      />
      {state.phase === 'reading' && (
        <progress className="search-progress" aria-label="Reading the inventory" {...valuesOf(state)} />
      )}
    </div>
  );
}

const valuesOf = ({ read, total }: { read: number; total: number | undefined }) =>
  total === undefined ? {} : { max: Math.max(total, 1), value: Math.min(read, total) };
