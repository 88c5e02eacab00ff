import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { nodes } from '../model/kinds.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { href } from '../ui/route.tsx';

/** In the place of numbers that would all be 0. */
export function FirstSteps() {
  const mayAdd = useMay(nodes.contracts.add);
  return (
    <Container header={<Header variant="h2">The inventory is empty</Header>}>
      <SpaceBetween size="m">
        <Box>Add a node first. Then add a pmm_agent on it, a service, and an exporter for the service.</Box>
        {mayAdd && (
          <Button variant="primary" href={href(['nodes', 'add'])}>
            Add node
          </Button>
        )}
      </SpaceBetween>
    </Container>
  );
}
