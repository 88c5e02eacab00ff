import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import { useState } from 'react';
import { FirstItems, KindAndName } from '../ui/first-items.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { plural } from '../ui/words.ts';
import { PlanCounts } from './plan-counts.tsx';
import { nameOfItem, type ReconcilePlan, removalsOf } from './plan-item.ts';

interface Props {
  plan: ReconcilePlan;
  busy: boolean;
  apply: () => void;
  close: () => void;
}

/** Confirms the application of a plan and names the objects that it removes. */
export function ApplyDialog({ plan, busy, apply, close }: Props) {
  const [agreed, setAgreed] = useState(false);
  const removals = removalsOf(plan);
  const isKnown = plan.items_left_out === undefined;
  const count = isKnown ? removals.length : plan.remove;
  const objects = plural(count, 'object');

  return (
    <FormDialog
      header="Apply this plan"
      submitText={count > 0 ? `Apply and remove ${objects}` : 'Apply'}
      form={{ busy, failure: undefined, submit: apply }}
      disabled={count > 0 && !agreed}
      close={close}
    >
      <PlanCounts plan={plan} />
      {count === 0 ? (
        <div>No objects are removed.</div>
      ) : (
        <Alert type="warning" header={`${isKnown ? '' : 'Up to '}${objects} will be removed`}>
          <FirstItems
            items={removals.map((item, index) => (
              <KindAndName key={index} kind={item.kind} name={nameOfItem(item)} />
            ))}
            total={count}
          />
        </Alert>
      )}
      {plan.blocked > 0 && <div>Blocked items do not change.</div>}
      {count > 0 && (
        <Checkbox checked={agreed} onChange={({ detail }) => setAgreed(detail.checked)}>
          Remove {objects}
        </Checkbox>
      )}
    </FormDialog>
  );
}
