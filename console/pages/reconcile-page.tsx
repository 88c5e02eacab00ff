import { endpoint as reconcile } from '../../functions/bulk/reconcile/endpoint.ts';
import { useMay } from '../parts/caller-context.tsx';
import { NotAllowed } from '../parts/not-allowed.tsx';
import { Reconcile } from '../parts/reconcile.tsx';

export function ReconcilePage() {
  return useMay(reconcile) ? <Reconcile /> : <NotAllowed title="Reconcile" endpoint={reconcile} />;
}
