import { Suspense, use } from 'react';
import { lazily } from '../../../shared/core/lazily.ts';
import type { InventoryObject } from '../../model/kinds.tsx';
import type { BulkProps } from './bulk-dialog.tsx';

const bulkDialog = lazily(() => import('./bulk-dialog.tsx'));

function Loaded<T extends InventoryObject>(props: BulkProps<T>) {
  const { BulkDialog } = use(bulkDialog());
  return <BulkDialog {...props} />;
}

/** The dialog is loaded with its first use: the first table does not need it. React's `lazy` has no type parameter. */
export const LazyBulkDialog = <T extends InventoryObject>(props: BulkProps<T>) => (
  <Suspense>
    <Loaded {...props} />
  </Suspense>
);
