import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { type Difference, stateFields } from '../inventory/differences.ts';
import { agents, nodes, services } from '../inventory/kinds.tsx';
import type { Target } from '../inventory/target.ts';
import { StateValue } from './agent-status.tsx';
import { ObjectLink, ObjectLinks } from './object-link.tsx';
import { valueText } from './value-text.ts';

function Reference({ to, value }: { to: Target; value: unknown }) {
  const ids = [value].flat().filter((id) => typeof id === 'string');
  switch (to) {
    case 'node':
      return <ObjectLinks kind={nodes} ids={ids} max={ids.length} />;
    case 'service':
      return <ObjectLinks kind={services} ids={ids} max={ids.length} />;
    case 'pmm_agent':
      return ids.map((id) => <ObjectLink key={id} kind={agents} id={id} />);
  }
}

function valueOf({ path, target }: Difference, value: unknown): ReactNode {
  if (stateFields.includes(path)) return <StateValue field={path} value={value} />;
  if (target !== undefined && value !== undefined) return <Reference to={target} value={value} />;
  return <span className="any-word">{valueText(value)}</span>;
}

interface Props {
  differences: readonly Difference[];
  /** Both sides, where there were two. */
  show: 'before' | 'after' | 'both';
}

/** What became of each field: what was there before, and what is there after. */
export function DifferenceList({ differences, show }: Props) {
  return (
    <dl className="differences">
      {differences.map((difference) => (
        <div key={difference.path}>
          <dt className="any-word">{difference.label}</dt>
          <dd>
            <SpaceBetween direction="horizontal" size="xs">
              {show !== 'after' && valueOf(difference, difference.before)}
              {show === 'both' && (
                <span role="img" aria-label="became">
                  →
                </span>
              )}
              {show !== 'before' && valueOf(difference, difference.after)}
            </SpaceBetween>
          </dd>
        </div>
      ))}
    </dl>
  );
}
