import SpaceBetween from '@cloudscape-design/components/space-between';
import { FirstHost } from './first-host.tsx';
import { QuickStart } from './quick-start.tsx';

/** One command for the first host, and below it all steps by the API. */
export const FirstSteps = () => (
  <SpaceBetween size="l">
    <FirstHost />
    <QuickStart />
  </SpaceBetween>
);
