import Container from '@cloudscape-design/components/container';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { CHANGE_HOURS } from '../../functions/domain/records/summary.ts';
import { countedKinds, kindTitles } from './links.ts';

/** The frame of the overview while its numbers are loaded. */
export function OverviewSkeleton() {
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading the overview
      </span>
      <SpaceBetween size="l">
        <Container header={<Header variant="h2">Needs attention</Header>}>
          <Skeleton height="150px" />
        </Container>
        <Container header={<Header variant="h2">Hosts by region and zone</Header>}>
          <Skeleton height="170px" />
        </Container>
        <Container header={<Header variant="h2">Nodes over the last {CHANGE_HOURS} hours</Header>}>
          <Skeleton height="210px" />
        </Container>
        <Grid gridDefinition={countedKinds.map(() => ({ colspan: { default: 12, xxs: 6, s: 3 } }))}>
          {countedKinds.map((kind) => (
            <Container key={kind} header={<Header variant="h2">{kindTitles[kind]}</Header>}>
              <Skeleton height="200px" />
            </Container>
          ))}
        </Grid>
      </SpaceBetween>
    </div>
  );
}
