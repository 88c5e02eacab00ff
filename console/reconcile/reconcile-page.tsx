import { endpoint as reconcile } from '../../functions/api/reconciliations/apply/endpoint.ts';
import { useMay } from '../ui/caller-context.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Reconcile } from './reconcile.tsx';

export function ReconcilePage() {
  return useMay(reconcile) ? <Reconcile /> : <NotAllowed title="Reconcile" endpoint={reconcile} />;
}
