import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { usePageTitle } from '../ui/page-title.tsx';

export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <SpaceBetween size="m">
      <Header variant="h1">Page not found</Header>
      <Box>
        This page does not exist. Start at the <Link href="#/overview">overview</Link>.
      </Box>
    </SpaceBetween>
  );
}
