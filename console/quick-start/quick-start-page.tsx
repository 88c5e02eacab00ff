import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { usePageTitle } from '../ui/page-title.tsx';
import { FirstSteps } from './first-steps.tsx';

/** Quick start: reachable from the help of every page, and the page of an empty inventory. */
export function QuickStartPage() {
  usePageTitle('Quick start');
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description="From an empty inventory to the first target of Prometheus.">
        Quick start
      </Header>
      <FirstSteps />
    </SpaceBetween>
  );
}
