import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { nameOfItem, type ReconcilePlan, removalsOf } from './plan-item.ts';
import { plural } from '../ui/words.ts';
import { PlanCounts } from './plan-counts.tsx';

const MAX_NAMED = 10;

interface Props {
  plan: ReconcilePlan;
  busy: boolean;
  apply: () => void;
  close: () => void;
}

/** The last look at a plan before it is done: what goes is named. */
export function ApplyDialog({ plan, busy, apply, close }: Props) {
  const [agreed, setAgreed] = useState(false);
  const removals = removalsOf(plan);
  const isKnown = plan.items_left_out === undefined;
  const count = isKnown ? removals.length : plan.remove;
  const named = removals.slice(0, MAX_NAMED);
  const goes = plural(count, 'object');

  return (
    <Modal
      visible
      header="Apply this plan"
      onDismiss={close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" disabled={busy} onClick={close}>
              Cancel
            </Button>
            <Button
              variant="primary"
              loading={busy}
              loadingText="Applying the plan"
              disabled={count > 0 && !agreed}
              onClick={apply}
            >
              {count > 0 ? `Apply and remove ${goes}` : 'Apply'}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <PlanCounts plan={plan} />
        {count === 0 ? (
          <div>No objects are removed.</div>
        ) : (
          <Alert type="warning" header={`${isKnown ? '' : 'Up to '}${goes} will be removed`}>
            <ul className="named">
              {named.map((item, index) => (
                <li key={index}>
                  {item.kind} <b className="any-word">{nameOfItem(item)}</b>
                </li>
              ))}
              {count > named.length && <li>and {count - named.length} more</li>}
            </ul>
          </Alert>
        )}
        {plan.blocked > 0 && <div>Blocked items do not change.</div>}
        {count > 0 && (
          <Checkbox checked={agreed} onChange={({ detail }) => setAgreed(detail.checked)}>
            Remove {goes}
          </Checkbox>
        )}
      </SpaceBetween>
    </Modal>
  );
}
