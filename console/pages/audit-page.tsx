import { endpoint as listAudit } from '../../functions/audit/list/endpoint.ts';
import { Audit } from '../parts/audit.tsx';
import { useMay } from '../parts/caller-context.tsx';
import { NotAllowed } from '../parts/not-allowed.tsx';

export function AuditPage() {
  return useMay(listAudit) ? <Audit /> : <NotAllowed title="Audit" endpoint={listAudit} />;
}
