import { endpoint as listAudit } from '../../functions/api/audit/list/endpoint.ts';
import { Audit } from './audit.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';

export function AuditPage() {
  return useMay(listAudit) ? <Audit /> : <NotAllowed title="Audit" endpoint={listAudit} />;
}
