import Alert from '@cloudscape-design/components/alert';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ComponentType } from 'react';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { useCaller, useMay } from './caller-context.tsx';
import { usePageTitle } from './page-title.tsx';

/** Replaces a page that requires a higher role than the user has. */
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

/** The page for users whose role permits a call of the endpoint. */
export function pageWithRole(title: string, endpoint: Endpoint, Page: ComponentType): ComponentType {
  return function PageWithRole() {
    return useMay(endpoint) ? <Page /> : <NotAllowed title={title} endpoint={endpoint} />;
  };
}
