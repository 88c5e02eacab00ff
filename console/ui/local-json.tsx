import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';

export interface LocalJson<T> {
  get: () => T;
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/**
 * A value in the storage of the browser.
 *
 * @param standard the value until one is set, and in place of one that the schema refuses.
 */
export function localJson<S extends z.core.$ZodType>(
  key: string,
  schema: S,
  standard: z.output<S>,
): LocalJson<z.output<S>> {
  const listeners = new Set<() => void>();
  const read = (): z.output<S> => {
    try {
      return z.parse(schema, JSON.parse(localStorage.getItem(key) ?? ''));
    } catch {
      // Nothing is stored, or an earlier version has stored it.
      return standard;
    }
  };
  let value = read();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      localStorage.setItem(key, JSON.stringify(next));
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export const useLocalJson = <T,>({ subscribe, get }: LocalJson<T>): T => useSyncExternalStore(subscribe, get);
