import Alert from '@cloudscape-design/components/alert';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { useCaller } from './caller-context.tsx';
import { usePageTitle } from './page-title.tsx';

/** In the place of a page that the user's role is not enough for. */
export function NotAllowed({ title, endpoint }: { title: string; endpoint: Endpoint }) {
  const { name, role } = useCaller();
  usePageTitle(title);
  return (
    <SpaceBetween size="m">
      <Header variant="h1">{title}</Header>
      <Alert type="info" header={`This requires the role ${endpoint.role}`}>
        {name} has the role {role}. An Admin can add an API key with a higher role. Log in with that key.
      </Alert>
    </SpaceBetween>
  );
}
