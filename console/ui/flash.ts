import type { ReactNode } from 'react';

export interface FlashMessage {
  id: string;
  /** `in-progress`: stays until it is dismissed by what has added it. */
  type: 'success' | 'error' | 'warning' | 'info' | 'in-progress';
  header?: ReactNode;
  content?: ReactNode;
  /** A button beside the text. */
  action?: ReactNode;
}

/** As many as can be read at once. */
const MAX_MESSAGES = 3;

let messages: readonly (FlashMessage & { pages: number })[] = [];
let count = 0;
let turns = 0;
const listeners = new Set<() => void>();

function become(next: typeof messages): void {
  const isPinned = ({ type }: FlashMessage) => type === 'in-progress';
  const last = new Set(next.filter((message) => !isPinned(message)).slice(-MAX_MESSAGES));
  messages = next.filter((message) => isPinned(message) || last.has(message));
  for (const listener of listeners) listener();
}

/** What was done, or went wrong, in words at the top of the page. */
export const flash = {
  messages: (): readonly FlashMessage[] => messages,
  /** How many pages were turned. */
  turns: () => turns,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  /**
   * @param pages how many changes of the page it outlives: 1 when it tells of what leads to the next page.
   * @returns its id.
   */
  add: (message: Omit<FlashMessage, 'id'>, { pages }: { pages: number } = { pages: 0 }): string => {
    count += 1;
    const id = String(count);
    become([...messages, { ...message, id, pages }]);
    return id;
  },
  dismiss: (id: string) => become(messages.filter((message) => message.id !== id)),
  clear: () => become([]),
  turnPage: () => {
    turns += 1;
    become(messages.filter(({ pages }) => pages > 0).map((message) => ({ ...message, pages: message.pages - 1 })));
  },
};
