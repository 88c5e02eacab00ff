import { endpoint as listEnrolmentTokens } from '../../functions/api/enrolment-tokens/list/endpoint.ts';
import { useMay } from '../ui/caller-context.tsx';
import { EnrolmentTokens } from './enrolment-tokens.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';

export function EnrolmentTokensPage() {
  return useMay(listEnrolmentTokens) ? (
    <EnrolmentTokens />
  ) : (
    <NotAllowed title="Enrolment tokens" endpoint={listEnrolmentTokens} />
  );
}
