import * as z from 'zod/mini';
import { createStore, type Store } from '../api/store.ts';

/** A store that calls `keep` with every value that is set. */
function keptStore<T>(initial: T, keep: (value: T) => void): Store<T> {
  const store = createStore(initial);
  return {
    ...store,
    set: (next) => {
      keep(next);
      store.set(next);
    },
  };
}

/**
 * A choice between some values, in the storage of the browser.
 *
 * @param values the first one is the default. The storage does not contain it: a later default then applies.
 */
export function storedPreference<T extends string>(key: string, values: readonly [T, ...T[]]): Store<T> {
  const stored = localStorage.getItem(key);
  return keptStore<T>(values.find((value) => value === stored) ?? values[0], (next) => {
    if (next === values[0]) localStorage.removeItem(key);
    else localStorage.setItem(key, next);
  });
}

/**
 * A value in the storage of the browser.
 *
 * @param standard the value until one is set, and in place of one that the schema refuses.
 */
export function storedJson<S extends z.core.$ZodType>(
  key: string,
  schema: S,
  standard: z.output<S>,
): Store<z.output<S>> {
  const read = (): z.output<S> => {
    try {
      return z.parse(schema, JSON.parse(localStorage.getItem(key) ?? ''));
    } catch {
      // Nothing is stored, or an earlier version has stored it.
      return standard;
    }
  };
  return keptStore(read(), (next) => localStorage.setItem(key, JSON.stringify(next)));
}
