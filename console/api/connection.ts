let lostAt: Date | undefined;
const listeners = new Set<() => void>();

function become(next: Date | undefined): void {
  lostAt = next;
  for (const listener of listeners) listener();
}

/** Whether the server answers: each call of the API says so. */
export const connection = {
  /** When the first call without an answer ended; undefined while the server answers. */
  lostAt: () => lostAt,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  lost: () => {
    if (lostAt === undefined) become(new Date());
  },
  found: () => {
    if (lostAt !== undefined) become(undefined);
  },
};
