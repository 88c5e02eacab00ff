import Autosuggest from '@cloudscape-design/components/autosuggest';
import { useEffect, useRef, useState } from 'react';
import { MAX_INDEXED, type IndexState } from '../search-index/index-state.tsx';
import type { SearchResult } from '../search-index/inventory-index.ts';
import { searchIndex, useIndexState } from '../search-index/search-index.tsx';
import { go, href } from '../ui/route.tsx';
import { type Command, commandOf, matchingCommands } from './command.ts';
import { hitKinds, totalOf } from './hit.tsx';
import { optionsOf } from './options.tsx';
import { readingText } from './progress.tsx';
import { useHitHealth } from './use-hit-health.tsx';
import { useSearch } from './use-search.tsx';
import { numberText } from '../ui/words.ts';

/** As many results of each kind as fit the list below the field. */
const HITS = 5;

/** The status below the results. */
function statusOf(state: IndexState, result: SearchResult | undefined, isFailed: boolean, hasCommands: boolean) {
  if (state.phase === 'failed' || isFailed) return { statusType: 'error' } as const;
  if (state.phase === 'reading') return { statusType: 'loading', loadingText: readingText(state) } as const;
  if (state.phase === 'too_large')
    return {
      statusType: 'finished',
      finishedText: `More than ${numberText(MAX_INDEXED)} objects: finds the beginnings of names.`,
    } as const;
  const total = result === undefined ? undefined : totalOf(result);
  const finishedText =
    total === 0
      ? hasCommands
        ? undefined
        : 'No results'
      : total === undefined
        ? undefined
        : `Press Enter to list all ${numberText(total)} results.`;
  return { statusType: 'finished', finishedText } as const;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Ctrl-K, on a Mac also Cmd-K, moves to the field; so does `/`, but not from other fields. Neither leaves a dialog. */
function useSearchKeys(focus: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey;
      const isSlash = event.key === '/' && !hasModifier && !isTyping(event.target);
      const isPalette = event.key.toLowerCase() === 'k' && hasModifier && !event.shiftKey;
      if (!(isSlash || isPalette) || event.altKey || event.defaultPrevented) return;
      // Closed dialogs can be in the page, too.
      if ([...document.querySelectorAll('[role=dialog]')].some((dialog) => dialog.checkVisibility())) return;
      event.preventDefault();
      focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Moves to the field at once: the next key belongs to it. The next text replaces the former one. */
function focusField(): boolean {
  const field = document.querySelector<HTMLInputElement>('#top header [role=search] input');
  field?.focus();
  field?.select();
  return field !== null;
}

/** In a narrow window the field is behind a button, which shows it with the next rendering. */
function focusSearch(): void {
  if (focusField()) return;
  document.querySelector<HTMLElement>('#top header [data-utility-special=search] [role=button]')?.click();
  requestAnimationFrame(focusField);
}

export function SearchKey() {
  useSearchKeys(focusSearch);
  return null;
}

/** Finds nodes, services, agents and clusters by any part of a name, an address, an id or a label, and commands. */
export function SearchField({ commands }: { commands: readonly Command[] }) {
  const state = useIndexState();
  const [text, setText] = useState('');
  const { result, failure } = useSearch(text, HITS);
  const selected = useRef(false);
  const health = useHitHealth(result === undefined ? [] : hitKinds.flatMap((kind) => result[kind].hits));
  const matching = matchingCommands(commands, text);

  const open = (address: string) => {
    setText('');
    go(address);
  };
  const enter = (entered: string) => {
    const command = commandOf(commands, entered);
    if (command !== undefined) open(command.href);
    else if (entered.trim() !== '') go(href(['search'], { text: entered.trim() }));
  };
  return (
    <div role="search" className="search">
      <Autosuggest
        value={text}
        options={optionsOf(matching, result, health)}
        filteringType="manual"
        placeholder="Search (Ctrl-K)"
        ariaLabel="Search the inventory"
        clearAriaLabel="Clear the search"
        enteredTextLabel={(entered) => commandOf(commands, entered)?.text ?? `All results for "${entered}"`}
        errorText={failure?.message ?? (state.phase === 'failed' ? state.failure.message : undefined)}
        recoveryText="Try again"
        {...statusOf(state, result, failure !== undefined, matching.length > 0)}
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
          if (detail.selectedOption === undefined) enter(detail.value);
          else open(detail.value);
        }}
        onKeyDown={({ detail }) => {
          if (detail.key !== 'Enter' || detail.isComposing) return;
          // The key has chosen an option of the list.
          if (!selected.current) enter(text);
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
