import ExpandableSection from '@cloudscape-design/components/expandable-section';
import { useState } from 'react';
import { type Difference, differencesOf } from '../../model/differences.ts';
import { plural } from '../../ui/words.ts';
import { DifferenceList } from './difference-list.tsx';

/** A collapsed section. Its content is loaded when it is opened. */
function Whole({ differences }: { differences: readonly Difference[] }) {
  const [expanded, setExpanded] = useState(false);
  return (
    <ExpandableSection
      variant="inline"
      headerText={plural(differences.length, 'field')}
      expanded={expanded}
      onChange={({ detail }) => setExpanded(detail.expanded)}
    >
      {expanded && <DifferenceList differences={differences} whole />}
    </ExpandableSection>
  );
}

/** The differences of a change, field by field. */
export function ChangeDifferences({ change }: { change: Parameters<typeof differencesOf>[0] }) {
  const differences = differencesOf(change);
  if (differences.length === 0) return <>-</>;
  return change.action === 'changed' ? (
    <DifferenceList differences={differences} />
  ) : (
    <Whole differences={differences} />
  );
}
