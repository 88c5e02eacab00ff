import { endpoint as listEnrolmentTokens } from '../../functions/enrolment-tokens/list/endpoint.ts';
import { useMay } from '../parts/caller-context.tsx';
import { EnrolmentTokens } from '../parts/enrolment-tokens.tsx';
import { NotAllowed } from '../parts/not-allowed.tsx';

export function EnrolmentTokensPage() {
  return useMay(listEnrolmentTokens) ? (
    <EnrolmentTokens />
  ) : (
    <NotAllowed title="Enrolment tokens" endpoint={listEnrolmentTokens} />
  );
}
