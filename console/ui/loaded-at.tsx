import { createContext } from 'react';

/**
 * When the objects of a part of the page were loaded, in milliseconds since 1970; undefined where it does not matter.
 * `without states`: their states are still being loaded.
 */
export const LoadedAtContext = createContext<number | 'without states' | undefined>(undefined);
