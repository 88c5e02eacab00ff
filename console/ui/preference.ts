/** A choice of the user that this browser stores. */
export interface Preference<T extends string> {
  chosen: () => T;
  subscribe: (listener: () => void) => () => void;
  choose: (next: T) => void;
}

/**
 * A choice between some values, in the storage of the browser.
 *
 * @param values the first one is the default. The storage does not contain it: a later default then applies.
 */
export function storedPreference<T extends string>(key: string, values: readonly [T, ...T[]]): Preference<T> {
  const stored = localStorage.getItem(key);
  let chosen = values.find((value) => value === stored) ?? values[0];
  const listeners = new Set<() => void>();
  return {
    chosen: () => chosen,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    choose: (next) => {
      chosen = next;
      if (next === values[0]) localStorage.removeItem(key);
      else localStorage.setItem(key, next);
      for (const listener of listeners) listener();
    },
  };
}
