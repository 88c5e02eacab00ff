import { createStore } from './store.ts';

const { get: lostAt, set, subscribe } = createStore<Date | undefined>(undefined);

/** Whether the server answers: each call of the API says so. */
export const connection = {
  /** When the first call without an answer ended; undefined while the server answers. */
  lostAt,
  subscribe,
  lost: () => {
    if (lostAt() === undefined) set(new Date());
  },
  answered: () => {
    if (lostAt() !== undefined) set(undefined);
  },
};
