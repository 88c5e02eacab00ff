import { useEffect } from 'react';
import { leaving } from './leaving.tsx';

/** While a form has changes that are not saved, leaving its page takes a confirmation. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => (isChanged ? leaving.hold() : undefined), [isChanged]);
}
