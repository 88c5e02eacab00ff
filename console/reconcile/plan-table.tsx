import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import {
  differencesOfItem,
  nameOfItem,
  type PlanItem,
  type ReconcilePlan,
  type ReconcileRequest,
} from './plan-item.ts';
import { numberText, plural } from '../ui/words.ts';
import { href } from '../ui/route.tsx';
import { DifferenceList } from '../objects/history/difference-list.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { stackedColumn } from '../ui/stacked-column.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { Small } from '../ui/small.tsx';

const PAGE_SIZE = 25;

/** The colours are those of the differences. */
export const actions = {
  add: { word: 'Add', sign: '+', className: 'came' },
  change: { word: 'Change', sign: '~', className: 'altered' },
  remove: { word: 'Remove', sign: '−', className: 'went' },
} as const;

export function Action({ item: { action } }: { item: Pick<PlanItem, 'action'> }) {
  const { word, sign, className } = actions[action];
  return (
    <span className={className}>
      <span aria-hidden>{sign}</span>
      {word}
    </span>
  );
}

function What({ item }: { item: PlanItem }) {
  const { kind, id, action, outcome } = item;
  const name = <Words text={nameOfItem(item)} />;
  const isThere = id !== undefined && !(action === 'remove' && outcome === 'done');
  return (
    <>
      <Small>{kind}</Small>
      {isThere ? <Link href={href([`${kind}s`, id])}>{name}</Link> : name}
    </>
  );
}

interface ItemProps {
  item: PlanItem;
  desired: ReconcileRequest['desired'];
}

function Differences({ item, desired }: ItemProps) {
  const [expanded, setExpanded] = useState(false);
  const differences = differencesOfItem(item, desired);
  if (differences.length === 0) return '-';
  if (item.action === 'change') return <DifferenceList differences={differences} />;
  return (
    <ExpandableSection
      variant="inline"
      headerText={plural(differences.length, 'field')}
      headerAriaLabel={`${plural(differences.length, 'field')} of ${item.kind} ${nameOfItem(item)}`}
      expanded={expanded}
      onChange={({ detail }) => setExpanded(detail.expanded)}
    >
      {expanded && <DifferenceList differences={differences} />}
    </ExpandableSection>
  );
}

const outcomes = {
  done: { type: 'success', word: 'Done' },
  failed: { type: 'error', word: 'Failed' },
  skipped: { type: 'info', word: 'Skipped' },
  not_done: { type: 'pending', word: 'Not done yet' },
} as const;

/** The outcome of the step, or the reason why it is not performed; undefined before the outcome is known. */
function Outcome({ item: { blocked, outcome, error, skipped } }: { item: PlanItem }) {
  const look = outcome === undefined ? undefined : outcomes[outcome];
  const why = blocked ?? error?.message ?? skipped;
  return (
    <>
      {blocked !== undefined && <StatusIndicator type="warning">Blocked</StatusIndicator>}
      {look !== undefined && <StatusIndicator type={look.type}>{look.word}</StatusIndicator>}
      {why !== undefined && (
        <Small>
          <Words text={why} />
        </Small>
      )}
    </>
  );
}

const hasOutcome = ({ blocked, outcome }: PlanItem) => blocked !== undefined || outcome !== undefined;

function columnsOf(plan: ReconcilePlan, desired: ReconcileRequest['desired']): BaseColumn<PlanItem>[] {
  return [
    { id: 'action', header: 'Action', cell: (item) => <Action item={item} />, width: 120 },
    { id: 'object', header: 'Object', isRowHeader: true, cell: (item) => <What item={item} />, minWidth: 220 },
    {
      id: 'differences',
      header: 'Before and after',
      cell: (item) => <Differences item={item} desired={desired} />,
      minWidth: 260,
    },
    ...(plan.items.some(hasOutcome)
      ? [{ id: 'outcome', header: 'Outcome', cell: (item: PlanItem) => <Outcome item={item} />, minWidth: 200 }]
      : []),
  ];
}

type Choice = 'all' | PlanItem['action'] | 'blocked';

const isChosen = (choice: Choice, { action, blocked }: PlanItem) =>
  choice === 'all' || (choice === 'blocked' ? blocked !== undefined : action === choice);

const choiceWords: Readonly<Record<Choice, string>> = {
  all: 'All',
  add: 'Add',
  change: 'Change',
  remove: 'Remove',
  blocked: 'Blocked',
};
const choices: readonly Choice[] = ['all', 'add', 'change', 'remove', 'blocked'];

interface Props {
  plan: ReconcilePlan;
  desired: ReconcileRequest['desired'];
}

/** The items of a plan, with their differences and outcomes. */
export function PlanTable({ plan, desired }: Props) {
  const narrow = useNarrow();
  const [choice, setChoice] = useState<Choice>('all');
  const { items, items_left_out: leftOut = 0 } = plan;
  const offered = choices
    .map((id) => ({ id, count: items.filter((item) => isChosen(id, item)).length }))
    .filter(({ id, count }) => id === 'all' || count > 0);
  const chosen = items.filter((item) => isChosen(choice, item));
  const page = usePagedItems(chosen, PAGE_SIZE, choice);
  const columns = columnsOf(plan, desired);

  return (
    <Table
      variant="container"
      {...page}
      columnDefinitions={narrow ? [stackedColumn(columns)] : columns}
      ariaLabels={{ tableLabel: 'Items' }}
      renderAriaLive={() => `${numberText(page.items.length)} of ${numberText(chosen.length)} are shown.`}
      header={
        <Header
          variant="h3"
          counter={`(${numberText(chosen.length)})`}
          description={
            leftOut === 0 ? undefined : `${numberText(leftOut)} more were omitted because the reply would be too large.`
          }
        >
          Items
        </Header>
      }
      filter={
        offered.length > 2 ? (
          <SegmentedControl
            label="Show only"
            selectedId={choice}
            options={offered.map(({ id, count }) => ({ id, text: `${choiceWords[id]} (${numberText(count)})` }))}
            onChange={({ detail }) => setChoice(choices.find((one) => one === detail.selectedId) ?? 'all')}
          />
        ) : undefined
      }
    />
  );
}
