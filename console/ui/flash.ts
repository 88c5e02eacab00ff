import type { ReactNode } from 'react';
import { createStore } from '../api/store.ts';

export interface FlashMessage {
  id: string;
  /** `in-progress`: stays until it is dismissed by what has added it. */
  type: 'success' | 'error' | 'warning' | 'info' | 'in-progress';
  header?: ReactNode;
  content?: ReactNode;
  /** A button beside the text. */
  action?: ReactNode;
}

/** Maximum number of messages that are shown. */
const MAX_MESSAGES = 3;

interface Flashes {
  messages: readonly (FlashMessage & { pages: number })[];
  /** Number of changes of the page. */
  turns: number;
}

const { get, set, subscribe } = createStore<Flashes>({ messages: [], turns: 0 });
let count = 0;

function show(messages: Flashes['messages'], turns = get().turns): void {
  const isPinned = ({ type }: FlashMessage) => type === 'in-progress';
  const last = new Set(messages.filter((message) => !isPinned(message)).slice(-MAX_MESSAGES));
  set({ messages: messages.filter((message) => isPinned(message) || last.has(message)), turns });
}

/** The messages at the top of the page about actions and failures. */
export const flash = {
  get,
  subscribe,
  /**
   * @param pages how many changes of the page it outlives: 1 when it tells of what leads to the next page.
   * @returns its id.
   */
  add: (message: Omit<FlashMessage, 'id'>, { pages }: { pages: number } = { pages: 0 }): string => {
    count += 1;
    const id = String(count);
    show([...get().messages, { ...message, id, pages }]);
    return id;
  },
  dismiss: (id: string) => show(get().messages.filter((message) => message.id !== id)),
  clear: () => show([]),
  turnPage: () => {
    const { messages, turns } = get();
    const kept = messages.filter(({ pages }) => pages > 0).map((message) => ({ ...message, pages: message.pages - 1 }));
    show(kept, turns + 1);
  },
};
