import type { ReconcilePlan } from './plan-item.ts';

const counted = [
  { field: 'add', label: 'Add', className: 'came' },
  { field: 'change', label: 'Change', className: 'altered' },
  { field: 'remove', label: 'Remove', className: 'went' },
  { field: 'unchanged', label: 'Unchanged', className: undefined },
  { field: 'blocked', label: 'Blocked', className: undefined },
  { field: 'in_scope', label: 'In scope', className: undefined },
] as const;

export function PlanCounts({ plan }: { plan: ReconcilePlan }) {
  return (
    <dl className="counts">
      {counted.map(({ field, label, className }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>
            <span className={plan[field] === 0 ? undefined : className}>{plan[field]}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
